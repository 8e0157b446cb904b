"""Databases, one package each; nothing above names one."""
