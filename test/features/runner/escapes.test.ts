/** What a hostile command tries in the real sandbox, and how each attempt ends. */

import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { masksOf, readTree } from '../../../infra/runner/folder-tree.ts';
import type { Ran } from '../../../infra/runner/run-contained.ts';
import type { Sandbox } from '../../../infra/runner/sandbox.ts';
import { ENV_TEXT, inSandbox, KEY_TEXT, makeMachine, startCommand, type TestMachine } from './machine.ts';

const machine = makeMachine();
const run = (sandbox: Sandbox, cmd: string, on: TestMachine = machine): Promise<Ran> =>
  startCommand(sandbox, on, cmd).ran;
const textOf = async (ran: Promise<Ran>): Promise<string> => (await ran).shown.text;

describe('a command in the sandbox', () => {
  inSandbox('changes its folder, and reads the other one', async (sandbox) => {
    const ran = await run(sandbox, 'echo new > b.txt; cat a.txt ~/notes/n.txt; echo wrong >&2; exit 3');
    expect(ran).toMatchObject({ exitCode: 3, shown: { text: 'one\ntwo\nthree\na note\nwrong\n', isWhole: true } });
    expect(ran.problem).toBeUndefined();
    expect(readFileSync(join(machine.work, 'b.txt'), 'utf8')).toBe('new\n');
  });

  inSandbox('writes nowhere else', async (sandbox) => {
    const places = ['~/x', '/x', '/etc/x', '/usr/x', '~/notes/x', '~/notes/n.txt', `${machine.root}/x`];
    const tries = places.map((place) => `(echo bad > ${place}) 2>/dev/null && echo wrote ${place}`).join('; ');
    expect(await textOf(run(sandbox, tries))).toBe('');
    expect(existsSync(join(machine.root, 'x'))).toBe(false);
    expect(readFileSync(join(machine.notes, 'n.txt'), 'utf8')).toBe('a note\n');
  });

  inSandbox('reads no key of the home, no .env of its own folder, and no file beside', async (sandbox) => {
    const text = await textOf(
      run(
        sandbox,
        `cat ~/.ssh/id_rsa ~/other/diary.txt deep/.env; mv deep/.env x; cp deep/.env x; ln deep/.env y; rm deep/.env;
         mv deep d; cat d/.env; grep -r . ${machine.root} /etc/shadow; mv d deep; ls -A ~`,
      ),
    );
    expect(text).not.toContain(KEY_TEXT);
    expect(text).not.toContain(ENV_TEXT);
    expect(text).toMatch(/notes\nsite\n$/);
    expect(readFileSync(join(machine.work, 'deep', '.env'), 'utf8')).toBe(ENV_TEXT);
  });

  inSandbox('masks a secret behind a link with a secret name', async (sandbox) => {
    const own = makeMachine();
    writeFileSync(join(own.work, 'settings'), ENV_TEXT);
    symlinkSync(join(own.work, 'settings'), join(own.work, '.env'));
    expect(await textOf(run(sandbox, 'cat .env settings', own))).not.toContain(ENV_TEXT);
  });

  inSandbox('masks where a link with a secret name leads now', async () => {
    const own = makeMachine();
    const link = join(own.work, '.env');
    symlinkSync(join(own.work, 'deep', 'settings'), link);
    await sleep(100);
    const tree = readTree(own.work, new Map());
    writeFileSync(join(own.work, 'deep', 'settings'), ENV_TEXT);
    const masks = masksOf([readTree(own.work, tree)], [own.work]);
    expect(masks).toContainEqual({ path: join(own.work, 'deep', 'settings'), kind: 'file' });
  });

  const long = 'd'.repeat(250);
  const moves: readonly (readonly [string, string])[] = [
    ['renaming the folder that its name needs', 'mv .docker plain'],
    ['a folder whose name is no text', "mv deep $'d\\xff'"],
    ['a folder that nobody may list', 'chmod 311 deep'],
    ['a folder whose name has no canonical form', "mv deep $'x\\n%0a'"],
    ['a folder deeper than any path', `for i in $(seq 17); do mkdir ${long}; mv deep ${long}; cd ${long}; done`],
    ['a name of a secret that leads nowhere', 'ln -s x.pem x.pem'],
  ];
  for (const [how, move] of moves)
    inSandbox(`hides a secret from the next command, too: ${how}`, async (sandbox) => {
      const own = makeMachine();
      mkdirSync(join(own.work, '.docker'));
      writeFileSync(join(own.work, '.docker', 'config.json'), ENV_TEXT);
      await run(sandbox, move, own);
      const next = async () => textOf(run(sandbox, 'chmod 755 deep; grep -r . .', own));
      expect(await next().catch((error: Error) => error.message)).toMatch(/denied|cannot be searched/);
      expect(await next().catch(() => '')).not.toContain(ENV_TEXT);
      // So that an ordinary account can remove it.
      if (existsSync(join(own.work, 'deep'))) chmodSync(join(own.work, 'deep'), 0o755);
    });

  inSandbox('changes nothing in a folder to read that lies in one to change', async (sandbox) => {
    const own = makeMachine();
    const allowed = { ...own.allowed, read: [join(own.work, 'deep')] };
    const text = await textOf(run(sandbox, 'echo x > deep/x; mv deep other; echo y > y', { ...own, allowed }));
    expect(text).toMatch(/Read-only.*\n.*busy/);
    expect(existsSync(join(own.work, 'y'))).toBe(true);
  });

  inSandbox('changes no setting of the kernel, fills no /dev, and reaches no socket', async (sandbox) => {
    const own = makeMachine();
    const server = createServer().listen(join(own.work, 'outside'));
    await once(server, 'listening');
    const tries =
      ': >> /proc/sys/kernel/core_pattern && echo kernel; : > /dev/x && echo dev; [ -S outside ] && echo socket';
    expect(await textOf(run(sandbox, `${tries}; cat <(echo reads)`, own))).toMatch(/^(?:bash: .*\n){2}reads\n$/);
    server.close();
  });

  inSandbox('follows no link out of its folders', async (sandbox) => {
    const own = makeMachine();
    symlinkSync(join(own.home, '.ssh', 'id_rsa'), join(own.work, 'innocent'));
    symlinkSync(own.home, join(own.work, 'up'));
    expect(await textOf(run(sandbox, 'cat innocent up/.ssh/id_rsa; cat up/other/diary.txt', own))).not.toContain(
      KEY_TEXT,
    );
  });

  inSandbox('sees no other process, and no environment of the runner', async (sandbox) => {
    process.env.RUNNER_TEST_VALUE = 'VISIBLE-VALUE';
    const text = await textOf(
      run(
        sandbox,
        `ls /proc | grep -c '^[0-9]'; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc/${process.pid}/root; kill -9 ${process.pid}`,
      ),
    );
    delete process.env.RUNNER_TEST_VALUE;
    expect(Number(text.split('\n')[0])).toBeLessThan(8);
    expect(text).not.toContain('VISIBLE-VALUE');
    expect(text).toContain('No such');
  });

  inSandbox('has no capability, gets no privileges, and nests no namespace', async (sandbox) => {
    const text = await textOf(
      run(
        sandbox,
        "grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status; unshare -Ur id; mount -t tmpfs x /tmp",
      ),
    );
    expect(text.match(/^Cap\w+:\t0{16}$/gm)).toHaveLength(3);
    expect(text).toContain('NoNewPrivs:\t1');
    expect(text).not.toContain('uid=');
    expect(text).toMatch(/mount: .*(denied|superuser|permitted)/);
  });

  inSandbox('is in this sandbox, whatever PATH the runner was started with', async (sandbox) => {
    const own = makeMachine();
    writeFileSync(join(own.work, 'bwrap'), `#!/bin/sh\necho x > ${own.root}/x\n`, { mode: 0o755 });
    const { PATH } = process.env;
    process.env.PATH = `${own.work}:${PATH}`;
    const text = await textOf(run(sandbox, 'echo in', own));
    process.env.PATH = PATH;
    expect([text, existsSync(join(own.root, 'x'))]).toStrictEqual(['in\n', false]);
  });

  inSandbox('reads no key of the session that started it', async (sandbox) => {
    const ask = `perl -e 'print syscall(${process.arch === 'arm64' ? 219 : 250}, 0, -3, 0) < 0 ? "none" : "keys"'`;
    expect(await textOf(run(sandbox, `grep Seccomp: /proc/self/status; ${ask}`))).toMatch(
      /^Seccomp:\t2\n(?:none|.*not found\n)$/,
    );
  });

  inSandbox('reaches no network, not even this machine', async (sandbox) => {
    const server = createServer((socket) => socket.end('REACHED'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const text = await textOf(
      run(sandbox, `cat < /dev/tcp/127.0.0.1/${port}; ls /sys/class/net 2>&1; cat /proc/net/route | wc -l`),
    );
    server.close();
    expect(text).not.toContain('REACHED');
    expect(text).toMatch(/refused|unreachable/);
  });

  inSandbox('leaves no child behind when it ends', async (sandbox) => {
    const cmd =
      '(setsid nohup sh -c "until test -e go; do sleep 0.1; done; echo alive > late.txt" >/dev/null 2>&1 &); echo done';
    expect(await textOf(run(sandbox, cmd))).toBe('done\n');
    writeFileSync(join(machine.work, 'go'), '');
    await sleep(1_000);
    expect(existsSync(join(machine.work, 'late.txt'))).toBe(false);
  });

  inSandbox('ends with all it started when it is stopped', async (sandbox) => {
    const own = makeMachine();
    const running = startCommand(
      sandbox,
      own,
      'trap "" TERM INT; (until test -e go; do sleep 0.1; done; echo alive > late.txt) & echo up; touch up; sleep 600',
    );
    await expect.poll(() => existsSync(join(own.work, 'up'))).toBe(true);
    running.stop('it was stopped');
    expect(await running.ran).toMatchObject({ problem: 'it was stopped', shown: { text: 'up\n' } });
    writeFileSync(join(own.work, 'go'), '');
    await sleep(1_000);
    expect(existsSync(join(own.work, 'late.txt'))).toBe(false);
  });
});

describe('a command that takes too much', () => {
  const bounded = (name: string, cmd: string, limits: Parameters<typeof startCommand>[3], expected: object): void =>
    inSandbox(name, async (sandbox) => {
      expect(await startCommand(sandbox, machine, cmd, limits).ran).toMatchObject(expected);
    });

  bounded(
    'is ended at its time',
    'echo begun; sleep 600',
    { timeMs: 1_000 },
    { problem: 'it took longer than 1 s', shown: { text: 'begun\n' } },
  );
  bounded(
    'is ended as a fork bomb',
    'bomb() { bomb | bomb & }; bomb; sleep 60',
    {},
    { problem: 'it started more than 24 processes' },
  );
  bounded(
    'gets no more memory in one process',
    'x=a; while :; do x=$x$x; done',
    { memoryBytes: 128 * 2 ** 20 },
    { problem: 'it used more than 128 MB of memory' },
  );
  // Not the last command of its subshell: there bash becomes `sleep`, which holds nothing.
  bounded(
    'is ended when many processes share out the memory',
    'for i in 1 2 3 4 5 6; do (x=$(head -c 30000000 /dev/zero | tr "\\0" a); sleep 600; :) & done; wait',
    { memoryBytes: 100 * 2 ** 20, processes: 64 },
    { problem: 'it used more than 100 MB of memory' },
  );
  bounded(
    'fills no more than its /tmp',
    'for i in 1 2 3 4 5 6 7 8 9; do head -c 8000000 /dev/zero > /tmp/$i || exit 9; done',
    { memoryBytes: 64 * 2 ** 20 },
    { exitCode: 9 },
  );
  bounded(
    'writes no larger file',
    'head -c 9000000 /dev/zero > big; echo $?',
    {},
    { shown: { text: expect.stringContaining('153') } },
  );

  inSandbox('is ended when its output floods, and only head and tail stay in memory', async (sandbox) => {
    const running = startCommand(sandbox, machine, 'echo first; yes "0123456789" ; echo never');
    const { problem, output, shown } = await running.ran;
    expect(problem).toBe('it wrote more than 4 MB of output');
    expect(output.bytes).toBe(4 * 2 ** 20);
    expect(shown.isWhole).toBe(false);
    expect(shown.text.startsWith('first\n0123456789\n')).toBe(true);
    expect(shown.text).toContain('bytes stayed on the machine');
    expect(shown.text.length).toBeLessThan(70_000);
  });
});
