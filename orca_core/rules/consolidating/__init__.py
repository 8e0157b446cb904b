"""What several episodes on one target teach: which are read together, and what of the answer is believed."""
