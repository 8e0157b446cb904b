"""What a text is made of: clean characters, languages, words, numbers, dates, where each piece came from."""
