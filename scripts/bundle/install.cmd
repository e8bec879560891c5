@rem Installs Quarry from this folder, without a network: install.cmd [--prefix FOLDER] [--remove]
@"%~dp0node\bin\node.exe" "%~dp0install.mjs" %*
