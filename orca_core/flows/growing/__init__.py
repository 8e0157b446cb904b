"""What programs and front ends do with acts, pools and tools."""
