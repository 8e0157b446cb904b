"""What programs and front ends do with acts, and with what these show: three pools."""
