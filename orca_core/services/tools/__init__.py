"""What programs and front ends do with tools: record calls, look at what they taught, change guides."""
