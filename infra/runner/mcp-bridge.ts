/**
 * Runs in the sandbox of a server that may reach hosts: starts it, and leads its connections to the
 * runner's proxy. The sandbox has no other way out. Arguments: the proxy's socket, its port here,
 * the server's program and arguments.
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [socket = '', port = '', program = '', ...args] = process.argv.slice(2);

createServer((client) => {
  const proxy = connect(socket);
  const end = (): void => {
    client.destroy();
    proxy.destroy();
  };
  client.on('error', end).pipe(proxy.on('error', end)).pipe(client);
}).listen(Number(port), '127.0.0.1', () => {
  spawn(program, args, { stdio: 'inherit' })
    .once('error', (error) => {
      console.error(error.message);
      process.exit(127);
    })
    .once('exit', (code) => process.exit(code ?? 1));
});
