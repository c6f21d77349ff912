// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own spelling
/** Finds the programs that a command starts through other programs. */

import { describe, expect, it } from 'vitest';
import { outputOf, SPLIT, UNKNOWN, unescapeText } from '../../lib/shell/program-run.ts';
import { readScript } from '../../lib/shell/read.ts';
import { isShell, unwrap } from '../../lib/shell/unwrap.ts';
import { missesOf } from '../support/misses.ts';

const runsOf = (command: string) => readScript(command).runs;
const lastRun = (command: string) =>
  runsOf(command).at(-1) ?? { words: [], redirects: [], upstream: [], substituted: [] };
/** Gives the programs started in turn, and the scripts on the way. */
const started = (command: string): readonly string[] => {
  const { runs, scripts } = unwrap(lastRun(command));
  return [...runs.slice(1).map(({ words }) => words.join(' ')), ...scripts.map(({ text }) => `script: ${text}`)];
};

describe('isShell', () => {
  it.each(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'mksh', 'rbash', 'csh', 'tcsh', '/bin/SH'])(
    'knows %s',
    (word) => {
      expect(isShell(word)).toBe(true);
    },
  );
  it.each(['shx', 'python', '', undefined])('does not take %s for one', (word) => {
    expect(isShell(word)).toBe(false);
  });
});

describe('unwrap', () => {
  it('finds what each command would start', () => {
    const misses = missesOf<readonly [string, readonly string[]]>(
      [
        ...[
          'env A=b',
          'env -u A',
          'env -C /tmp',
          'env --unset A',
          'env --chdir x',
          'env -i',
          'sudo',
          ...[
            '-u',
            '-g',
            '-h',
            '-p',
            '-C',
            '-r',
            '-t',
            '-D',
            '-R',
            '-T',
            '--user',
            '--group',
            '--host',
            '--prompt',
          ].map((option) => `sudo ${option} x`),
          'sudo --chdir x',
          'sudo --chroot x',
          'sudo -n --',
          'doas -u x',
          'doas -C x',
          'nohup',
          'setsid',
          '/usr/bin/time -f x',
          '/usr/bin/time -o x',
          '/usr/bin/time --format x',
          '/usr/bin/time --output x',
          'nice -n 5',
          'nice --adjustment 5',
          'ionice -c 2 -n 1 -p x',
          'ionice --class x --classdata y',
          'timeout 5',
          'timeout -s KILL -k 1 5',
          'timeout --signal x --kill-after y 5',
          'gtimeout -s x -k y 5',
          'stdbuf -i 0 -o 0 -e 0',
          'command',
          'builtin',
          'exec -a x',
          'chroot /x',
          'unshare',
          'nsenter -t 1',
          'nsenter --target 1',
          'strace -e x -o y -p z -s 1',
          'ltrace -e x -o y -p z',
          'taskset 1',
          'chrt 1',
          'busybox',
          'toybox',
          'parallel -j 1 -a x --jobs 2',
          'caffeinate -t 5',
          'torsocks',
          'proxychains -f x',
          'proxychains4 -f x',
          'gosu x',
          'su-exec x',
          'fakeroot',
          'unbuffer',
          'rlwrap',
          'systemd-run -u x -p y --unit z --property w',
          'npx -p x --package y',
          'bunx',
          'xvfb-run -s x',
          'entr',
          'pkexec --user x',
          'faketime -f x y',
          'setarch x',
          'flock -w 1 -E 2 x',
        ].map((wrapper) => [`${wrapper} rm x`, ['rm x']] as const),
        ['sudo env nice rm x', ['env nice rm x', 'nice rm x', 'rm x']],
        ['command -v rm', []],
        ['command -V rm', []],
        ['timeout 5', []],
        ['docker exec -it box rm x', ['rm x']],
        ['docker run -e A=b -v a:b image rm x', ['rm x']],
        ['podman run --rm image rm x', ['rm x']],
        ['nerdctl exec box rm x', ['rm x']],
        ['kubectl exec pod -- rm x', ['rm x']],
        ['docker run --entrypoint sh image rm x', ['sh rm x']],
        ['docker ps', []],
        ['find . -exec rm {} ;', ['rm found-by-search']],
        ["find . -exec rm {} ';'", ['rm found-by-search']],
        ['find /etc -exec rm {} +', ['rm /etc']],
        ['find /a /b -ok rm -f {} +', ['rm -f /a /b']],
        ['find ./x ../y -execdir rm {} + -okdir ls {} +', ['rm found-by-search', 'ls found-by-search']],
        ['find -exec rm {} +', ['rm']],
        ['fd x -exec rm y', ['rm y']],
        ['find . -name x', []],
        ['echo a b | xargs rm -f', ['rm -f a b']],
        ['echo a b | xargs -n 1 rm', ['rm a b']],
        ['echo a | xargs -I X cp X y', ['cp a y']],
        ['echo a | xargs -IX cp X y', ['cp a y']],
        ['echo a | xargs -i cp {} y', ['cp a y']],
        ['echo a b | xargs -I X cp z/X y', ['cp z/a b y']],
        ['ls | xargs rm', ['rm found-by-search']],
        ['echo a | xargs --replace cp {} y', ['cp a y']],
        ['echo a | xargs --replace=X cp X y', ['cp a y']],
        ['echo a | xargs -iX cp X y', ['cp a y']],
        ['find . | xargs rm', ['rm found-by-search']],
        ['find ./x | xargs rm', ['rm found-by-search']],
        ['find /etc -type f | xargs rm', ['rm /etc']],
        ['xargs rm', ['rm found-by-search']],
        ['cat x | xargs sh -c', ['sh -c found-by-search'.replace('found-by-search', UNKNOWN), `script: ${UNKNOWN}`]],
        ['cat x | xargs -I X sh -c X', [`sh -c ${UNKNOWN}`, `script: ${UNKNOWN}`]],
        ['cat x | xargs -I X cp X y', ['cp found-by-search y']],
        ["sh -c 'rm x'", ['script: rm x']],
        ["bash -ec 'rm x'", ['script: rm x']],
        ["bash -c -e 'rm x'", ['script: rm x']],
        ["bash -c -o y -- 'rm x'", ['script: rm x']],
        ["bash -co y 'rm x' z", ['script: rm x']],
        ["bash -c +e - 'rm x'", ['script: rm x']],
        ['bash -c', []],
        ['bash -c -e', []],
        ["bash +o x -c 'rm x'", ['script: rm x']],
        ['sh x', []],
        ["sh <<< 'rm x'", ['script: rm x']],
        ['echo rm x | sh', ['script: rm x']],
        ['echo rm x | sh -', ['script: rm x']],
        ['echo rm x | sh /dev/stdin', ['script: rm x']],
        ['echo rm x | sh -s y', ['script: rm x']],
        ['echo rm x | sh y', []],
        ['cat y | sh', []],
        ['sh <(echo rm x)', ['script: rm x']],
        ['eval rm x', ['script: rm x']],
        ['eval -- rm -- x', ['script: rm -- x']],
        ['source <(echo rm x)', ['script: rm x']],
        ['. <(echo rm x)', ['script: rm x']],
        ['source x', []],
        ["trap 'rm x' EXIT", ['script: rm x']],
        ['trap', []],
        ['watch -n 5 rm x', ['rm x', 'script: 5 rm x']],
        ["alias ls='rm x' a", ['script: rm x']],
        ["su -c 'rm x'", ['script: rm x']],
        ["su ada --command 'rm x'", ['script: rm x']],
        ["runuser -u x -c 'rm x'", ['script: rm x']],
        ["flock x -c 'rm x'", ['-c rm x', 'script: rm x']],
        ["script -c 'rm x' y", ['script: rm x']],
        ['su ada', []],
        ["env -S 'rm x'", ['rm x', 'script: rm x']],
        ["env '-Srm x'", ['script: rm x']],
        ["env '--split-string=rm x'", ['script: rm x']],
        ['ssh host rm x', ['script: rm x']],
        ['ssh -p 22 -i k host -- rm x', ['script: rm x']],
        ["ssh -o ProxyCommand='rm x' host", ['script: rm x']],
        ['ssh host', []],
        ["rsync -e 'rm x' a b", ['script: rm x']],
        ["man -P 'rm x' y", ['script: rm x']],
        ['rsync a b', []],
        ["tar cf a --checkpoint-action=exec='rm x'", ['script: rm x']],
        ["tar xf a --to-command='rm x'", ['script: rm x']],
        ["tar cf a --use-compress-program='rm x'", ['script: rm x']],
        ["tar cf a --rsh-command='rm x'", ['script: rm x']],
        ['echo rm x | at now', ['script: rm x']],
        ['echo rm x | batch', ['script: rm x']],
        ["echo '* * * * * rm x' | crontab -", ['script: rm x']],
        ["vim -c ':!rm x'", ['script: rm x']],
        ["vi '+!rm x'", ['script: rm x']],
        ["ex '+:!rm x'", ['script: rm x']],
        ["git -c alias.x='!rm x' x", ['script: rm x']],
        ["git -c core.sshCommand='rm x' fetch", ['script: rm x']],
        ["git -c core.pager='rm x' log", ['script: rm x']],
        ["git -c core.editor='rm x' commit", ['script: rm x']],
        ['ls x', []],
      ],
      ([command, expected]) => {
        expect(started(command)).toStrictEqual(expected);
      },
    );
    expect(misses).toEqual([]);
  });
});

describe('outputOf', () => {
  it.each<readonly [string, string | undefined]>([
    ['echo a b', 'a b'],
    ['echo', ''],
    ['echo -n a', 'a'],
    ["echo -e 'a\\tb'", 'a\tb'],
    ["echo -ne '\\x41'", 'A'],
    ["echo -E 'a\\tb'", 'a\\tb'],
    ["echo 'a\\tb' -e", 'a\tb -e'],
    ["printf 'a%sb' x", 'axb'],
    ["printf -- '%s' x", 'x'],
    ["printf '%%'", '%'],
    ["printf '%5.2f|%s' a", 'a|'],
    ["printf '%s' a b", 'ab'],
    ["printf 'a' b", 'a'],
    ["printf '\\101'", 'A'],
    ['ls', undefined],
    ['ls x', 'x/*'],
    ['ls x//', 'x/*'],
    ['ls *.md', '*.md'],
    ['which rm', 'rm'],
    ['type rm', 'rm'],
    ['command -v rm', 'rm'],
    ['command rm', undefined],
    ['pwd', '.'],
    ['yes', 'y'],
    ['yes rm', 'rm'],
    ['echo a | cat', 'a'],
    ['echo a | cat x', undefined],
    ['echo a | tee x', 'a'],
    ['cat', undefined],
    ['echo cm0geA== | base64 -d', 'rm x'],
    ['echo cm0geA== | gbase64 --decode', 'rm x'],
    ['echo cm0geA== | base64 -D', 'rm x'],
    ['echo cm0geA== | base64', undefined],
    ['echo cm0geA== | openssl base64 -d', 'rm x'],
    ['echo cm0geA== | openssl enc -d', undefined],
    ['echo 72 6d | xxd -r -p', 'rm'],
    ['echo 726d | xxd', undefined],
    ["printf 'x mr\\nab' | rev", 'rm x\nba'],
    ['cat x | rev', undefined],
    ['base64 -d <<< cm0geA==', 'rm x'],
    ['rm x', undefined],
  ])('knows what %s prints', (command, output) => {
    expect(outputOf(lastRun(command))).toBe(output);
  });
});

describe('unescapeText', () => {
  it.each([
    ['\\x41\\x4a1', 'AJ1'],
    ['\\101\\0101', 'AA'],
    ['\\u0041', 'A'],
    ['\\n\\t\\r\\a\\b\\e\\\\', '\n\t\r\u001b\\'],
    ['\\q', 'q'],
    ['\\', '\\'],
  ])('reads %j as %j', (text, expected) => {
    expect(unescapeText(text)).toBe(expected);
  });
});

describe('readScript', () => {
  const read = (script: string) => runsOf(script).map(({ words }) => words.join(' ').replaceAll(SPLIT, ''));
  it('reads each script into its runs', () => {
    const misses = missesOf<readonly [string, readonly string[]]>(
      [
        ['a; b && c || d & e', ['a', 'b', 'c', 'd', 'e']],
        ['a | b', ['a', 'b']],
        ['x=rm; $x y', ['', 'rm y'].slice(1)],
        ['x=a; x+=b; $x', ['ab']],
        ['x="rm y"; $x', ['rm y']],
        ['x="rm y"; "$x"', ['rm y']],
        ['${x:-rm} y', ['rm y']],
        ['x=ls; ${x:-rm} y', ['ls y']],
        ['${x:+rm} y', ['rm y']],
        ['${x:?} y', [`${UNKNOWN}_ y`]],
        ['echo ${#x}', ['echo 1']],
        ['x=y; y=rm; ${!x}', ['rm']],
        ['${!x}', [UNKNOWN]],
        ['${x%y}', [UNKNOWN]],
        ['$x', [UNKNOWN]],
        ['$HOME/x $PWD $OLDPWD', [`~/x . ${UNKNOWN}`]],
        ['a$IFS', ['a']],
        ...(
          [
            ['EDITOR', 'vi'],
            ['VISUAL', 'vi'],
            ['PAGER', 'less'],
            ['PYTHON', 'python'],
            ['NODE', 'node'],
            ['CC', 'cc'],
            ['CXX', 'c++'],
            ['MAKE', 'make'],
            ['GO', 'go'],
            ['CARGO', 'cargo'],
            ['SHELL', 'sh'],
            ['BASH', 'bash'],
          ] as const
        ).map(([name, program]) => [`$${name} x`, [`${program} x`]] as const),
        ['$(echo rm) x', ['echo rm', 'rm x']],
        ['`echo rm` x', ['echo rm', 'rm x']],
        ['$(a; b) x', ['a', 'b', `${UNKNOWN} x`]],
        ['a{b,c}d', ['abd acd']],
        ['{rm,x}', ['rm x']],
        ['a{1..3}', [`a${UNKNOWN}`]],
        ['a $((1+2))', ['a 1']],
        ["a 'b c' \"d e\" $'f\\tg'", ['a b c d e f\tg']],
        ['ａ', ['a']],
        ['if a; then b; else c; fi', ['a', 'b', 'c']],
        ['for i in a b; do c $i; done', ['c a', 'c b']],
        ['for i; do c $i; done', [`c ${UNKNOWN}`]],
        ['while a; do b; done', ['a', 'b']],
        ['case x in y) a;; esac', ['a']],
        ['(a; b)', ['a', 'b']],
        ['f() { a; }; f', ['a', 'f']],
        ['export A=b', ['export A=b']],
        ['A=b', []],
        ['GIT_PAGER=rm git log', ['eval rm', 'git log']],
        ...['GIT_SSH_COMMAND', 'GIT_EDITOR', 'PAGER', 'EDITOR', 'VISUAL', 'PROMPT_COMMAND', 'MANPAGER', 'BROWSER'].map(
          (name) => [`${name}=rm x`, ['eval rm', 'x']] as const,
        ),
        ['x=(a b); "${x[@]}"', ['a b']],
        ['> x', ['']],
      ],
      ([script, expected]) => {
        expect(read(script)).toStrictEqual(expected);
      },
    );
    expect(misses).toEqual([]);
  });

  it('knows what is handed in, where it goes, and what stands before it', () => {
    const [first, second] = runsOf('a <<< "b c" | d > e 2>> f < g');
    expect(first?.input).toBe('b c');
    expect(second?.redirects).toStrictEqual([
      { operator: '>', target: 'e' },
      { operator: '>>', target: 'f' },
      { operator: '<', target: 'g' },
    ]);
    expect(second?.upstream.map(({ words }) => words)).toStrictEqual([['a']]);
    expect(runsOf('x=1; a <<E\nb $x\nE')[0]?.input).toBe('b 1\n');
    expect(runsOf("a <<'E'\nb $x\nE")[0]?.input).toBe('b $x\n');
    expect(runsOf('a "$(b)"')[1]?.substituted.map(({ words }) => words)).toStrictEqual([['b']]);
  });

  it('says what cannot be read', () => {
    expect(readScript('a "').isReadable).toBe(false);
    expect(readScript('a')).toStrictEqual({
      runs: [{ words: ['a'], redirects: [], upstream: [], substituted: [], globs: new Set(), isSure: true }],
      functions: new Map(),
      assigned: new Set(),
      evaluatesText: false,
      isDisguised: false,
      isReadable: true,
    });
    expect(readScript('a; f() { a; }; g && h() { a; }').functions).toStrictEqual(
      new Map([
        ['f', 1],
        ['h', Number.POSITIVE_INFINITY],
      ]),
    );
    expect(readScript('a;'.repeat(5_000)).isReadable).toBe(false);
  });

  it('marks what may become several words, and patterns a name may take the place of', () => {
    const words = (script: string) => runsOf(script).at(-1)?.words.slice(1);
    expect(words('a $x "$x" x$x "$@" $(b) "$(b)"')).toStrictEqual(
      [[UNKNOWN, SPLIT], [UNKNOWN], ['x', UNKNOWN, SPLIT], [UNKNOWN, SPLIT], [UNKNOWN, SPLIT], [UNKNOWN]].map((parts) =>
        parts.join(''),
      ),
    );
    expect(words('y=$x; a "$y"')).toStrictEqual([UNKNOWN]);
    expect([...(runsOf('a *.x "*.y" ./* [ab]')[0]?.globs ?? [])]).toStrictEqual(['*.x', '[ab]']);
  });

  it.each([
    [':(){ :|:& };:', true],
    ['f() { f & f; }; f', true],
    ['f() { f; }; f', false],
    ['f() { g | g; }; f', false],
  ])('finds in %s what starts itself beside itself: %j', (script, isBomb) => {
    expect(read(script).includes('fork-bomb\ue001')).toBe(isBomb);
  });
});
