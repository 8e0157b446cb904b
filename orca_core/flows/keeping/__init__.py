"""What a person looks at and changes by hand."""
