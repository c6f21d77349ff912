// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own spelling
/**
 * The class of a command, over a corpus of five classes in many spellings, and the paths, programs
 * and lines for a card that come with it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandClass } from '../../../../lib/core/signal/facts.ts';
import { classifyCommand, SHELL_COMMAND_CHARS_MAX } from '../../../../lib/features/runner/shell/classify-command.ts';
import { fc } from '../../../support/fast-check.ts';
import { GROWTH_MAX, growthOf } from '../../../support/growth.ts';
import { missesOf } from '../../../support/misses.ts';
import { classify, HERE } from './judge-command.ts';

interface Labelled {
  readonly label: CommandClass;
  readonly command: string;
}

/** A heading `# class`, then one command a line; `⏎` stands for a line's end. */
const readCorpus = (text: string): readonly Labelled[] => {
  let label: CommandClass = 'unseen';
  return text.split('\n').flatMap((line) => {
    const heading = /^# (\w+)$/.exec(line)?.[1];
    if (heading !== undefined) label = CommandClass.parse(heading);
    return heading !== undefined || line === '' ? [] : [{ label, command: line.replaceAll('⏎', '\n') }];
  });
};

const CORPUS = readCorpus(readFileSync(new URL('command-classes.txt', import.meta.url), 'utf8'));
/** Of the commands that only read. */
const EVERYDAY_SHARE_MIN = 0.95;
/** A lone bracket would end what is wrapped around it. */
const NOT_READS = CORPUS.filter(({ label, command }) => label !== 'reads' && !/^[^(]*\)$/.test(command)).map(
  ({ command }) => command,
);

describe('classifyCommand', () => {
  it('is right, or takes a command for unseen, and asks about few that only read', () => {
    const found = CORPUS.map((one) => ({ ...one, found: classify(one.command).class }));
    expect(found.filter(({ label, found }) => found !== label && found !== 'unseen')).toStrictEqual([]);
    const everyday = found.filter(({ label }) => label === 'reads');
    const share = everyday.filter(({ found }) => found === 'reads').length / everyday.length;
    process.stdout.write(`everyday commands that nobody is asked about: ${(100 * share).toFixed(1)} %\n`);
    expect(share).toBeGreaterThanOrEqual(EVERYDAY_SHARE_MIN);
    expect(CORPUS.length).toBeGreaterThanOrEqual(600);
  });

  it('gives the same answer whatever wraps a command, and never a better one', () => {
    const quoted = (command: string): string => `'${command.replaceAll("'", `'\\''`)}'`;
    const wrappers: readonly ((command: string) => string)[] = [
      (command) => `ls; ${command}`,
      (command) => `ls && ${command}`,
      (command) => `(${command}\n)`,
      (command) => `{ ${command}\n}`,
      (command) => `if true; then ${command}\nfi`,
      (command) => `echo "$(${command}\n)"`,
      (command) => `cat <(${command}\n)`,
      (command) => `f() { ${command}\n}; f`,
      (command) => `sh -c ${quoted(command)}`,
      (command) => `bash -c ${quoted(command)}`,
      (command) => `eval ${quoted(command)}`,
      (command) => `env A=b nice -n 5 timeout 5 sh -c ${quoted(command)}`,
      (command) => `sudo sh -c ${quoted(command)}`,
      (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`,
      (command) => `find . -exec sh -c ${quoted(command)} \\;`,
      (command) => `ls | xargs sh -c ${quoted(command)}`,
      (command) => `trap ${quoted(command)} EXIT`,
      (command) => `${command}\nls`,
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...NOT_READS),
        fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 2 }),
        (command, chosen) => {
          const wrapped = chosen.reduce((text, wrap) => wrap(text), command);
          expect(classify(wrapped).class, wrapped).not.toBe('reads');
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('sees through the wrappers and spellings of one program', () => {
    const prefixes = ['env', 'nice -n 5', 'timeout -k 1 5', 'nohup', 'command', 'busybox', '/usr/bin/env', 'exec'];
    const misses = missesOf(
      prefixes.flatMap((prefix) => [
        [`${prefix} rm -rf build`, 'destroys'] as const,
        [`${prefix} curl https://a.example`, 'leaves'] as const,
        [`${prefix} touch a`, 'changes'] as const,
        [`${prefix} ./x`, 'unseen'] as const,
      ]),
      ([command, expected]) => {
        expect(classify(command).class).toBe(expected);
      },
    );
    expect(misses).toStrictEqual([]);
  });

  it.each<readonly [string, CommandClass]>([
    ['git log "$x"', 'unseen'],
    ['git log $(cat list)', 'unseen'],
    ['git log -- "$x"', 'reads'],
    ['git log "./$x"', 'reads'],
    ['git log --grep "$x"', 'reads'],
    ['git log --grep $x', 'unseen'],
    ['rg -e "$x"', 'reads'],
    ['rg "$x"', 'unseen'],
    ['rg foo *', 'unseen'],
    ['rg "*foo" ./*', 'reads'],
    ['ls | xargs rg foo', 'unseen'],
    ['find . | xargs rg foo', 'unseen'],
    ['find . -print0 | xargs -0 rg foo', 'reads'],
    ['find -- "$x"', 'unseen'],
    ['grep "$x" *.log', 'reads'],
    ['cat list | xargs wc -l', 'reads'],
    ['for f in *.log; do wc -l "$f"; done', 'reads'],
    ['find . -name "$x"', 'reads'],
    ['find . -name $x', 'unseen'],
    ['sort "$x"', 'unseen'],
    ['date -d "$x"', 'reads'],
    ['date "$x"', 'destroys'],
    ['dd if=a $x', 'destroys'],
    ['git checkout "$x"', 'destroys'],
    ['git commit -m "$x"', 'changes'],
    ['git add *.md', 'changes'],
    ['git clean -n $x', 'destroys'],
    ['awk "$x" a', 'unseen'],
    ['awk \'{print}\' "$x"', 'reads'],
    ['sed "s/a/$x/" a', 'unseen'],
    ['sed -n 1p "$x"', 'unseen'],
    ['timeout $x ls', 'unseen'],
  ])('takes a word nobody can know for whatever it may be: %s', (command, expected) => {
    expect(classify(command).class).toBe(expected);
  });

  it.each<readonly [string, CommandClass]>([
    ['git reset --har', 'destroys'],
    ['git branch --del a', 'destroys'],
    ['git tag --del a', 'destroys'],
    ['git commit --am', 'destroys'],
    ['git log --outp=a', 'changes'],
    ['git diff --ext', 'unseen'],
    ['rg --hostname-b a', 'unseen'],
    ['tar tf a --to-comm=b', 'unseen'],
    ['sort --outp=a b', 'changes'],
    ['date --se=12:00', 'destroys'],
    ['git log --all --stat', 'reads'],
  ])('takes the beginning of a long option for the whole: %s', (command, expected) => {
    expect(classify(command).class).toBe(expected);
  });

  it.each<readonly [string, CommandClass]>([
    ['tar tf a.tar --use=./evil.sh', 'unseen'],
    ['tar tf a.tar --to-com ./evil.sh', 'unseen'],
    ['tar tf a.tar --info-s=./evil.sh', 'unseen'],
    ['tar tf a.tar --checkpoint-a=exec=x', 'unseen'],
    ['tar tf a.tar --rmt=x', 'unseen'],
    ['tar -tvIx -f a.tar', 'unseen'],
    ['tar tfI a.tar x', 'unseen'],
    ['tar -tf --use=x', 'unseen'],
    ['tar cf a.tar src --remo', 'destroys'],
    ['tar -cft a', 'changes'],
    ['tar -cfO a', 'changes'],
    ['tar cft a', 'changes'],
    ['tar -f a.tar -t', 'reads'],
    ['tar -vtf a.tar', 'reads'],
    ['tar tvf a.tar --wildcards "*.md"', 'reads'],
    ['tar --exclude=.git --exclude node_modules -czvf a.tgz .', 'changes'],
    ['tar xzf a.tgz -C out --strip-components=1 --no-same-owner', 'changes'],
    ['tar cJf a.tar.xz --transform s:a:b: src', 'changes'],
    ['install --strip-=./x a b', 'unseen'],
    ['install --strip-pro ./x a b', 'unseen'],
    ['install -Dm755 a b', 'changes'],
    ['zip --test --unz x a.zip b', 'unseen'],
    ['zip -rT a.zip b', 'unseen'],
    ['zip -TT x a.zip b', 'unseen'],
    ['zip -r9q a.zip src -x "*.git*"', 'changes'],
    ['zip --mov a.zip b', 'destroys'],
    ['sort --comp=x a', 'unseen'],
    ['sort --files0=x', 'unseen'],
    ['sort -rnko a', 'reads'],
    ['sort -ruob a', 'changes'],
    ['sort -t: -k2,2 -rn a', 'reads'],
    ['split --fil=x a', 'unseen'],
    ['split -b10M -d a', 'changes'],
    ['rsync -a -Tn a b', 'changes'],
    ['rsync -aTn a b', 'changes'],
    ['rsync -avze ./x a b', 'unseen'],
    ['rsync -avhn --delete --exclude=.git a/ b/', 'reads'],
    ['rsync -an --no-dry-run a b', 'unseen'],
    ['patch --dry-run -be < a', 'unseen'],
    ['patch -p1 --get=1 < a', 'unseen'],
    ['xz -t -d a.xz', 'changes'],
    ['xz -tz a', 'changes'],
    ['gzip -9k a', 'changes'],
    ['gzip -d -c a.gz', 'reads'],
    ['gzip --forc a', 'destroys'],
    ['xz -T0 -dc a.xz', 'reads'],
    ['cp --for a b', 'destroys'],
    ['cp -rfp a b', 'destroys'],
    ['file --comp -m a', 'changes'],
    ['file --co -m a', 'changes'],
    ['file -bi a', 'reads'],
    ['hostname --fi a', 'destroys'],
    ['hostname --bo', 'destroys'],
    ['fallocate --coll -o 0 -l 1 a', 'destroys'],
    ['ss --di=a', 'destroys'],
    ['ss -tulpn', 'reads'],
    ['diffstat -o a b', 'unseen'],
    ['ack --outp=x a', 'unseen'],
    ['env -i git status', 'unseen'],
    ['env -u GIT_CONFIG_COUNT git status', 'unseen'],
    ['env - git status', 'unseen'],
    ['env --unset=GIT_CONFIG_COUNT git status', 'unseen'],
    ['exec -c git status', 'unseen'],
    ['unset GIT_CONFIG_COUNT; git status', 'unseen'],
    ['export -n GIT_CONFIG_COUNT; git status', 'unseen'],
    ['for GIT_CONFIG_COUNT in 0; do git status; done', 'unseen'],
    ['((GIT_CONFIG_COUNT=0)); git status', 'unseen'],
    ['let GIT_CONFIG_COUNT=0; git status', 'unseen'],
    ['GIT_CONFIG_COUNT=0 git status', 'unseen'],
    ['zstdcat a.zst -o b', 'unseen'],
    ['zstdcat --rm a.zst', 'unseen'],
    ['zstdcat -q a.zst', 'reads'],
    ["ls | xargs -ti sh -c 'echo {}'", 'unseen'],
    ["ls | xargs -tip sh -c 'echo p'", 'unseen'],
    ['mktemp -p u', 'changes'],
    ['git merge -qs evil a', 'unseen'],
    ['git cherry-pick --strat=evil a', 'unseen'],
    ['git cat-file --tex HEAD:a', 'unseen'],
    ['git cat-file --batch-check', 'reads'],
    ['unzip -l --l a.zip', 'changes'],
  ])('reads options as their program does: %s', (command, expected) => {
    expect(classify(command).class).toBe(expected);
  });

  it.each<readonly [string, CommandClass, boolean]>([
    ['git push --force', 'leaves', true],
    ['git push origin +main', 'leaves', true],
    ['git push origin :old', 'leaves', true],
    ['git push origin main', 'leaves', false],
    ['rm a; curl https://a.example', 'leaves', true],
    ['sudo rm a', 'unseen', true],
    ['rm a', 'destroys', true],
    ['touch a', 'changes', false],
  ])('says of %s that it is %s, and whether it destroys', (command, expected, destroys) => {
    expect(classify(command)).toMatchObject({ class: expected, destroys });
  });

  it.each<[command: string, reads: readonly string[], writes?: readonly string[]]>([
    ['cat a.txt', ['/home/ada/site/a.txt']],
    ['cat ~/x ../y /etc/hosts', ['/etc/hosts', '/home/ada/x', '/home/ada/y']],
    ['cat ./a/../b//c', ['/home/ada/site/b/c']],
    ['cat src/*.ts', ['/home/ada/site/src']],
    ['cat *.ts', ['/home/ada/site']],
    ['cat src/*/../../../x', ['/']],
    ['cat "$1"', ['/']],
    ['cat ~root/x', ['/']],
    ['cat a%2fb', ['/']],
    ['cat "a./b"', ['/']],
    ['cd src && cat x', ['/home/ada/site/src', '/home/ada/site/src/x']],
    ['cd src; cat x', ['/home/ada/site/src', '/home/ada/site/src/x', '/home/ada/site/x']],
    ['(cd /etc); cat x', ['/etc', '/etc/x', '/home/ada/site/x']],
    ['cd "$x" && ls', ['/']],
    ['cd - && cat x', ['/']],
    ['ls', []],
    ['ls /etc/*', ['/etc']],
    ['grep /etc/passwd notes', ['/home/ada/site/notes']],
    ['grep -f /etc/x notes', ['/etc/x', '/home/ada/site/notes']],
    ['grep --file=/etc/x notes', ['/etc/x', '/home/ada/site/notes']],
    ['head -n 5 /etc/hosts', ['/etc/hosts']],
    ['wc -l < /etc/hosts', ['/etc/hosts']],
    ['find / -name x', ['/']],
    ['find src -name x', ['/home/ada/site/src']],
    ['find /etc -exec cat {} +', ['/etc']],
    ['cat list | xargs cat', ['/', '/home/ada/site/list']],
    ['git -C /etc status', ['/etc']],
    ['git diff --no-index a /etc/hosts', ['/etc/hosts', '/home/ada/site']],
    ['python x.py /etc/hosts', ['/etc/hosts', '/home/ada/site/x.py']],
    ['[ -f /etc/hosts ]', ['/etc/hosts']],
    ['[ -n "$x" ]', []],
    ["sed -e s/a/b/ -e '/^$/d' a", ['/home/ada/site/a']],
    ["git blame -L '/^function a/,+10' a", ['/home/ada/site']],
    ["rg -r '$1' a b", ['/home/ada/site/b']],
    ['jq --arg a /etc/x . b', ['/home/ada/site/b']],
    ['echo ~/x /etc/*', ['/etc']],
    ['git --git-dir /etc log', ['/etc']],
    ['touch a', ['/home/ada/site/a'], ['/home/ada/site/a']],
    ['cp a ~/b', ['/home/ada/b', '/home/ada/site/a'], ['/home/ada/b']],
    ['cp -t /tmp a', ['/home/ada/site/a', '/tmp'], ['/tmp']],
    ['mv a b', ['/home/ada/site/a', '/home/ada/site/b'], ['/home/ada/site/a', '/home/ada/site/b']],
    ['ls > /dev/null 2>&1', []],
    ['ls > out', [], ['/home/ada/site/out']],
    ['sort /etc/x -o y', ['/etc/x', '/home/ada/site/y'], ['/home/ada/site/y']],
    ['rm -rf "$x/y"', ['/'], ['/']],
    ['git add .', ['/home/ada/site'], ['/home/ada/site']],
    ['git -C sub commit -m x', ['/home/ada/site/sub'], ['/home/ada/site/sub']],
    ['tar -cf /tmp/a.tar -C src .', ['/home/ada/site', '/home/ada/site/src', '/tmp/a.tar'], ['/tmp/a.tar']],
    ['tar xCf /tmp/x a.tar', ['/home/ada/site/a.tar', '/tmp/x'], ['/tmp/x']],
    ['tar -xzf a.tgz --dir=/tmp/x', ['/home/ada/site/a.tgz', '/tmp/x'], ['/tmp/x']],
    ['cp -St a /etc/x', ['/etc/x', '/home/ada/site/a'], ['/etc/x']],
    ['sort -uo/etc/y a', ['/etc/y', '/home/ada/site/a'], ['/etc/y']],
    ['unzip a.zip -d /tmp/x', ['/home/ada/site/a.zip', '/tmp/x'], ['/tmp/x']],
    ['bash -c "cd src && touch x"', ['/home/ada/site/src', '/home/ada/site/src/x'], ['/home/ada/site/src/x']],
  ])('knows where %s leads', (command, reads, writes = []) => {
    const found = classify(command);
    expect(found.reads).toStrictEqual(reads);
    expect(found.writes).toStrictEqual(writes);
  });

  it.each<[string, string[]]>([
    ['python3 x.py a.py', ['/home/ada/site/x.py']],
    ['node --test a.test.js b.mjs c', ['/home/ada/site/a.test.js', '/home/ada/site/b.mjs']],
    ['cd src && bash x.sh', ['/home/ada/site/src/x.sh']],
    ['sh -c "perl x.pl"; . ./env', ['/home/ada/site/env', '/home/ada/site/x.pl']],
    ['./deploy.sh now && ~/bin/tool', ['/home/ada/bin/tool', '/home/ada/site/deploy.sh']],
    ['ruby < x.rb', ['/home/ada/site/x.rb']],
    // Nobody can know which files these are.
    ['for f in *.py; do python3 "$f"; done; python3 "$x"; ls | xargs sh', []],
    ['npm test; make; python3 -c "print(1)"; cat x.py', []],
  ])('names the scripts of %s', (command, scripts) => {
    expect(classify(command).scripts).toStrictEqual(scripts);
  });

  it.each<[string, string]>([
    ['grep --file=.env a', '.env'],
    ['grep -rf.env a', '.env'],
    ['diff --from-file=.env a', '.env'],
    ['wc --files0-from=deploy/.env', 'deploy/.env'],
    ['git blame --contents=.env a', '.env'],
    ['git show HEAD:.env', '.env'],
    ['git cat-file -p :0:config/prod.env', 'config/prod.env'],
  ])('names the secret in a word of %s', (command, path) => {
    expect(classify(command).reads).toContain(`/home/ada/site/${path}`);
  });

  it.each<[string, string]>([
    ['split a.txt /srv/part', '/srv/part'],
    ['csplit --pre=/srv/part a.txt 10', '/srv/part'],
    ['csplit -f /srv/part a.txt 10', '/srv/part'],
    ['gzip -d /srv/package.json.gz', '/srv/package.json'],
    ['unxz /srv/conftest.py.xz', '/srv/conftest.py'],
  ])('names where the pieces go of %s', (command, path) => {
    expect(classify(command).writes).toContain(path);
  });

  it('leaves relative paths to nobody if no folder is known', () => {
    expect(classifyCommand('cat a; cat /b', { ...HERE, folder: '' }).reads).toStrictEqual(['/', '/b']);
  });

  it.each<readonly [string, readonly string[]]>([
    ['cd x && npm test | tail -5', ['npm test', 'tail']],
    ['npm run build -- --watch', ['npm run build']],
    ['git -C sub push; /usr/bin/git status', ['git push', 'git status']],
    ['make test lint', ['make lint', 'make test']],
    ['make -f x test', ['make']],
    ['sudo env A=b timeout 5 rm x', ['rm', 'sudo']],
    ['./gradlew build', ['/home/ada/site/gradlew']],
    ['cd sub; ../run', ['another program']],
    ['~/bin/x; /opt/y/npm test', ['/home/ada/bin/x', '/opt/y/npm']],
    ['./*/run; "$x"/run; ./sudo rm x', ['/home/ada/site/sudo', 'another program', 'rm']],
    ['echo x && true', []],
    ['npm test; "$x" y', ['another program', 'npm test']],
    ['npm test; sh x.sh', ['another program', 'npm test']],
    ['PATH=. npm test', ['another program', 'npm test']],
    ['npm test; rg --pre x y', ['another program', 'npm test', 'rg']],
    ['npm test > /dev/tcp/a/1', ['another program', 'npm test']],
  ])('names the programs of %s', (command, programs) => {
    expect(classify(command).programs).toStrictEqual(programs);
  });

  it.each<readonly [string, readonly string[]]>([
    ['rm -rf build', ['deletes /home/ada/site/build and all below it']],
    ['rm *.o', ['deletes what matches /home/ada/site/*.o']],
    ['rm "$x"', ['deletes what nobody can name beforehand']],
    ['cd src; rm x', ['deletes /home/ada/site/x', 'deletes /home/ada/site/src/x']],
    ['find src -delete', ['deletes what it finds: /home/ada/site/src']],
    ['git reset --hard', ['throws away changes that no commit holds: /home/ada/site']],
    ['echo x > a', ['replaces /home/ada/site/a if it is there']],
    ['echo x >> a', []],
    ['cp a b', ['replaces /home/ada/site/b if it is there']],
    ['kill 1', ['ends running programs']],
    ['git push -f', ['rewrites or removes what another machine holds']],
    ['touch a', []],
  ])('says what is lost by %s', (command, lost) => {
    expect(classify(command).lost).toStrictEqual(lost);
  });

  it('says why in fixed words, of the worst class alone', () => {
    expect(classify('touch secret-name; rm secret-name').because).toStrictEqual(['it deletes files']);
    expect(classify('ls').because).toStrictEqual([]);
    expect(classify('zyx secret-name').because).toStrictEqual(['its program is not known here']);
    expect(classify('echo "').because).toStrictEqual(['it cannot be read as a shell command']);
    expect(classify('x'.repeat(SHELL_COMMAND_CHARS_MAX + 1)).because).toStrictEqual([
      'it cannot be read as a shell command',
    ]);
  });

  it('is total for any text, and quick', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '$(',
        ')',
        '`',
        '"',
        "'",
        '|',
        '&&',
        ';',
        '{',
        '}',
        '<<E\n',
        '\n',
        '${',
        'rm',
        ' -rf ',
        '/',
        'cd ',
        '=',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const command = pieces.join('');
        expect(classify(command)).toStrictEqual(classify(command));
      }),
      { numRuns: 500 },
    );
    const long: readonly ((count: number) => string)[] = [
      (count) => 'cd x; '.repeat(count),
      (count) => `sed '${'s/a/b/;'.repeat(count)}' x`,
      (count) => `awk '${'"a" '.repeat(count)}' x`,
      (count) => `git log ${'-x '.repeat(count)}`,
      (count) => `cat ${'../../../'.repeat(count)}x`,
    ];
    for (const build of long) expect(await growthOf(1_000, (count) => classify(build(count)))).toBeLessThan(GROWTH_MAX);
  });
});
