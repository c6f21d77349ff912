/** The file that `runner pair` writes: no folder at all, and the defaults spelled out. */
export const ALLOW_EXAMPLE = `# What this machine allows its runner. Only this file decides it: nothing in the cloud changes it.
# The runner reads it again before each job.

folders:
  # Folders whose files may be read: whole paths, or ~/…
  read: []
  #  - ~/notes
  # Folders whose files may be read and changed.
  write: []
  #  - ~/projects/website

# Programs that may run code nobody has read, or use the network. Each use asks you.
# In place of any program, list some: names, a name and a subcommand, paths in a folder above.
programs: any
#  - npm test
#  - git push
#  - ~/projects/website/deploy.sh

# Servers of tools (MCP) that start here, each in a sandbox of its own, with its own folders and
# hosts. "npx passepartout mcp add <name> -- <program>" fetches one, writes it down and tries it.
#servers:
#  files:
#    run: [npx, "@modelcontextprotocol/server-filesystem@2026.8.31", ~/notes]
#    read: [~/notes]

# Commands reach the network only if this is true.
network: false

# Bounds of one job.
time: 5m
memory: 1GB
processes: 64
# Of each file that it writes.
fileSize: 100MB
# A command that writes more is ended.
output: 16MB
`;
