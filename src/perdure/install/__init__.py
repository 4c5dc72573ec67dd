"""Installs Perdure for the clients on a machine: what is added to a person's settings, how it is removed (SPEC 6.1).

An installer is one module with the functions of `installer.Installer`, named in `perdure.clients.REGISTERED`. A plan is
made from what is on the disk and changes nothing; carrying it out writes whole files. A person loses nothing: an edit
to one of their files leaves every other byte as it is.
"""
