/** Code on a command line: what of it is taken for code, and what is said of it. */

import { describe, expect, it } from 'vitest';
import { codeOfRun, judgeCode } from '../../lib/shell/code.ts';
import { readScript } from '../../lib/shell/read.ts';
import { missesOf } from '../support/misses.ts';

const codeOf = (command: string) => {
  const run = readScript(command).runs.at(-1);
  return run === undefined ? undefined : codeOfRun(run);
};

describe('codeOfRun', () => {
  it.each<readonly [string, string | undefined]>([
    ["python -c 'a' b", 'a\nb'],
    ["python3.12 -Bc 'a'", 'a'],
    ["pypy -c 'a'", 'a'],
    ["perl -e 'a'", 'a'],
    ["perl -ne 'a'", 'a'],
    ["perl -E 'a'", 'a'],
    ["ruby -ne 'a'", 'a'],
    ["node -e 'a'", 'a'],
    ["nodejs -p 'a'", 'a'],
    ["bun -pe 'a'", 'a'],
    ["node --eval 'a'", 'a'],
    ["node --print 'a'", 'a'],
    ["php8.3 -r 'a'", 'a'],
    ["lua -e 'a'", 'a'],
    ["rscript -e 'a'", 'a'],
    ["osascript -e 'a'", 'a'],
    ["tclsh -e 'a'", 'a'],
    ["julia -e 'a'", 'a'],
    ["pwsh -Command 'a'", 'a'],
    ["powershell -enc 'a'", 'a'],
    ["powershell -EncodedCommand 'a'", 'a'],
    ["deno eval 'a'", 'a'],
    ["awk -F: 'a' b", 'a'],
    ["gawk 'a'", 'a'],
    ["mawk 'a'", 'a'],
    ["nawk 'a'", 'a'],
    ["xawk 'a'", undefined],
    ["perl '-eprint(1)'", 'print(1)'],
    ['echo a | python', 'a'],
    ['echo a | python -', 'a'],
    ['python <<< a', 'a'],
    ['echo a | python x.py', undefined],
    ['cat x | python', undefined],
    ['python', undefined],
    ['python x.py', undefined],
    ['ruby x.rb -e', ''],
    ['ls -c a', undefined],
  ])('takes of %s: %j', (command, code) => {
    expect(codeOf(command)).toBe(code);
  });
});

describe('judgeCode', () => {
  const unknown = { danger: 'it runs what was downloaded, decoded or is otherwise unknown', scripts: [] };
  const reads = { danger: 'it reads credentials', scripts: [] };
  const shell = { danger: 'it opens a shell to the network', scripts: [] };
  const nothing = { scripts: [] };
  const findings: readonly (readonly (string | object)[])[] = [
    ...'urlopen urlretrieve requests httpx fetch http.get https.get LWP open-uri URI.open file_get_contents DownloadString Invoke-WebRequest Net::HTTP'
      .split(' ')
      .flatMap((fetch) => [
        [`exec(${fetch}(x))`, unknown],
        [`${fetch}(x)`, nothing],
      ]),
    ...'exec eval compile Function IEX Invoke-Expression instance_eval system popen'
      .split(' ')
      .map((run) => [`${run}(requests.x)`, unknown]),
    ...'b64decode base64 fromCharCode pack fromhex'.split(' ').map((decode) => [`eval(${decode}(x))`, unknown]),
    ['base64(x)', nothing],
    ['eval(x)', nothing],
    ['"/inet/tcp/0/a/1"', shell],
    ...'socket Socket TCPSocket fsockopen net.connect net.Socket createConnection TCPClient INET'
      .split(' ')
      .map((socket) => [`${socket} dup2`, shell]),
    ...'dup2 subprocess pty spawn exec popen system child_process proc_open'
      .split(' ')
      .map((tie) => [`socket ${tie}`, shell]),
    ['socket', nothing],
    ["open('/etc/shadow')", reads],
    ['open("~/.ssh/id_rsa")', reads],
    ['open(`/x/.env`)', reads],
    ["open('a\\'/.env')", reads],
    ["open('secrets')", nothing],
    ["print('a')", nothing],
    ...'system popen execv spawnSync subprocess child_process shell_exec passthru proc_open qx Popen check_output getoutput Invoke-Expression iex'
      .split(' ')
      .map((start) => [`${start}('a', "b")`, { scripts: ['a', 'b', 'a b', 'ab'] }]),
    ['do shell script "a"', { scripts: ['a', 'a', 'a'] }],
    ['`a`', { scripts: ['a', 'a', 'a'] }],
    ["system('')", { scripts: ['', ''] }],
  ];
  it('says of each piece of code what it should', () => {
    const misses = missesOf(findings, ([code, finding]) => {
      expect(judgeCode(String(code))).toStrictEqual(finding);
    });
    expect(misses).toEqual([]);
  });
});
