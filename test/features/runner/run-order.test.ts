/** One job on the owner's machine, in the real sandbox: what runs, and what is refused. */
import { hash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { checkContent } from '../../../infra/runner/check-content.ts';
import { perform } from '../../../infra/runner/perform.ts';
import { type Machine, runOrder } from '../../../infra/runner/run-order.ts';
import { JournalLine } from '../../../lib/features/runner/journal-line.ts';
import { type Order, orderHashOf, signOrder } from '../../../lib/features/runner/order.ts';
import { signReceipt } from '../../../lib/features/runner/result.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import { ENV_TEXT, inSandbox, KEY_TEXT, makeMachine, outputFile } from './machine.ts';
import { type Args, act, buildOrder, NOW, pairMachine, shown } from './orders.ts';

const journalOf = (folder: string): readonly string[] =>
  readFileSync(join(folder, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JournalLine.parse(JSON.parse(line)).kind);

describe('runOrder', () => {
  inSandbox('runs a command, and signs its output and the changed files', async (sandbox) => {
    const at = makeMachine();
    const { deliver, folder, claims, removed } = await pairMachine(sandbox, at);
    const job = buildOrder('shell', { cmd: 'cp a.txt b.txt && rm a.txt && cat b.txt; mkdir new', folder: at.work });
    const result = await deliver(job);
    expect(result).toMatchObject({
      jobHash: orderHashOf(job),
      state: 'done',
      reason: '',
      exitCode: 0,
      claim: claims.get(job.id),
      text: 'one\ntwo\nthree\n',
      moreChanged: 0,
    });
    expect(result?.changed.map(({ path, kind, bytes }) => [path, kind, bytes])).toStrictEqual([
      [join(at.work, 'a.txt'), 'removed', undefined],
      [join(at.work, 'b.txt'), 'added', 14],
    ]);
    expect(journalOf(folder)).toStrictEqual(['job', 'receipt', 'result']);
    expect(readdirSync(join(folder, 'unsent'))).toStrictEqual([]);
    expect(removed()).toBeGreaterThan(0);
  });

  inSandbox('gives a command that only reads no folder to change', async (sandbox) => {
    const at = makeMachine();
    const { deliver } = await pairMachine(sandbox, at);
    const job = buildOrder('shell', { cmd: 'cat a.txt', folder: at.work }, { hasConsent: false });
    expect(await deliver(job)).toMatchObject({ state: 'done', text: 'one\ntwo\nthree\n', changed: [] });
    const wrong = buildOrder('shell', { cmd: 'grep four a.txt', folder: at.work }, { hasConsent: false });
    expect(await deliver(wrong)).toMatchObject({ state: 'done', exitCode: 1, text: 'exit code 1' });
  });

  inSandbox('works on files with each tool', async (sandbox) => {
    const at = makeMachine();
    const { deliver, folder } = await pairMachine(sandbox, at);
    const a = join(at.work, 'a.txt');
    const deep = join(at.work, 'new', 'b.json');
    const table: readonly (readonly [Parameters<typeof buildOrder>[0], Args, object])[] = [
      ['read-file', { path: a, from: 2, lines: 1 }, { text: 'two' }],
      ['write-file', { path: deep, content: '{"a": 1}' }, { changed: [{ path: deep, kind: 'added', bytes: 8 }] }],
      ['edit-file', { path: a, find: 'two', replace: '2' }, { changed: [{ path: a, kind: 'changed' }] }],
      ['list-files', { path: at.work }, { text: 'a.txt\ndeep/\nnew/' }],
      ['search-files', { path: at.home.concat('/site'), pattern: 't[h]ree' }, { text: `${a}:3:three\n` }],
    ];
    for (const [tool, args, expected] of table)
      expect(await deliver(buildOrder(tool, args)), tool).toMatchObject({ state: 'done', reason: '', ...expected });
    expect(readFileSync(a, 'utf8')).toBe('one\n2\nthree\n');
    const [kept = ''] = readdirSync(join(folder, 'kept'));
    expect(readFileSync(join(folder, 'kept', kept), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  inSandbox('replaces a file whatever its name, and judges its content beside its other work', async (sandbox) => {
    const at = makeMachine();
    const { deliver, folder } = await pairMachine(sandbox, at);
    const path = join(at.work, `${'字'.repeat(80)}.txt`);
    writeFileSync(path, 'old');
    expect(await deliver(buildOrder('write-file', { path, content: 'new' }))).toMatchObject({ state: 'done' });
    expect(readdirSync(join(folder, 'kept'))).toHaveLength(1);
    // Each bracket doubles what the parser tries.
    const content = `const x = ${'<T>('.repeat(17)}1${')'.repeat(17)};`;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
    }, 10);
    await checkContent('/x.ts', content, undefined);
    clearInterval(looking);
    expect(looks).toBeGreaterThan(10);
  });

  inSandbox('leaves a file alone if the change does not fit it', async (sandbox) => {
    const at = makeMachine();
    const { deliver } = await pairMachine(sandbox, at);
    const write = (name: string, text: string): string => {
      writeFileSync(join(at.work, name), text);
      return join(at.work, name);
    };
    const [twice, json, broken] = [write('t', 'x x'), write('d.json', '{"a": 1}'), write('broken.ts', 'const = ;')];
    linkSync(join(at.home, '.ssh', 'id_rsa'), join(at.work, 'second'));
    const table: readonly (readonly [Parameters<typeof buildOrder>[0], Args, string])[] = [
      // Somebody changed it between the approval and the run.
      ['edit-file', { path: join(at.work, 'a.txt'), find: 'four', replace: '4' }, 'not in it'],
      ['edit-file', { path: twice, find: 'x', replace: 'y' }, 'in it 2 times'],
      ['edit-file', { path: json, find: '1}', replace: '1' }, 'would not parse: line 1: it is not JSON'],
      ['write-file', { path: json, content: '[' }, 'would not parse'],
      ['write-file', { path: join(at.work, 'n.yaml'), content: 'a: [' }, 'would not parse'],
      ['write-file', { path: join(at.work, 'n.ts'), content: 'const = 1' }, 'would not parse'],
      ['write-file', { path: join(at.work, 'n.md'), content: '---\na: [\n---\n' }, 'would not parse'],
      ['read-file', { path: join(at.work, 'second') }, 'second name'],
      ['write-file', { path: join(at.work, 'second'), content: 'x' }, 'second name'],
      ['read-file', { path: join(at.work, 'missing') }, 'does not exist'],
      ['read-file', { path: at.work }, 'no ordinary file'],
    ];
    for (const [tool, args, reason] of table)
      expect(await deliver(buildOrder(tool, args)), reason).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining(reason),
        changed: [],
      });
    expect(readFileSync(json, 'utf8')).toBe('{"a": 1}');
    expect(readFileSync(join(at.home, '.ssh', 'id_rsa'), 'utf8')).toBe(KEY_TEXT);
    // A file that did not parse before becomes no worse.
    expect(await deliver(buildOrder('edit-file', { path: broken, find: ';', replace: ';;' }))).toMatchObject({
      state: 'done',
    });
  });

  inSandbox('refuses what this machine forbids, and runs nothing of it', async (sandbox) => {
    const at = makeMachine();
    symlinkSync(join(at.home, 'other'), join(at.work, 'away'));
    symlinkSync(join(at.work, 'deep', '.env'), join(at.work, 'plain'));
    const file = 'folders: { read: [$HOME/notes], write: [$HOME/site] }\nprograms: []\n';
    const { deliver, claims } = await pairMachine(sandbox, at, file);
    const none = { hasConsent: false };
    const shell = (cmd: string, changes: object = {}) => buildOrder('shell', { cmd, folder: at.work }, changes);
    const table = [
      [buildOrder('read-file', { path: join(at.home, 'other', 'diary.txt') }), 'outside'],
      [buildOrder('read-file', { path: join(at.work, 'away', 'diary.txt') }), 'outside'],
      [buildOrder('read-file', { path: join(at.home, '.ssh', 'id_rsa') }), 'credentials'],
      [buildOrder('read-file', { path: join(at.work, 'plain') }), 'credentials'],
      [buildOrder('read-file', { path: `${at.work}/../other/diary.txt` }), 'one spelling'],
      [buildOrder('read-file', { path: 'work/a.txt' }), 'no canonical form'],
      [buildOrder('write-file', { path: join(at.notes, 'n.txt'), content: 'x' }), 'outside'],
      [shell('cat ~/other/diary.txt'), 'outside'],
      [shell('cat away/diary.txt'), 'outside'],
      [shell('rm -rf deep', none), 'nobody consented'],
      [shell('curl https://example.com'), 'its owner adds "curl" to "programs" there, or writes "programs: any"'],
      [shell('npm test'), 'its owner adds "npm test" to "programs" there'],
      [shell('my-token'), 'its owner writes "programs: any" there'],
      [shell('rm -rf /'), 'outside'],
      [buildOrder('shell', { cmd: 'ls', folder: at.home }), 'outside'],
      [buildOrder('shell', { cmd: 'ls', folder: at.work, extra: 'x' }), 'no other fields'],
    ] as const;
    for (const [job, reason] of table)
      expect(await deliver(job), `${job.action.args?.cmd ?? job.action.args?.path}`).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining(reason),
      });
    expect(claims.size).toBe(0);
    expect(existsSync(join(at.work, 'deep'))).toBe(true);
  });

  inSandbox('runs a program that its owner named, and none if the allow-file has a fault', async (sandbox) => {
    const at = makeMachine();
    writeFileSync(join(at.work, 'x.pl'), 'print "named\\n"');
    writeFileSync(join(at.work, 'x.sh'), '#!/bin/sh\necho "by its path"\n', { mode: 0o755 });
    const file = 'folders: { write: [$HOME/site] }\nprograms: [perl, $HOME/site/x.sh]\n';
    const named = await pairMachine(sandbox, at, file);
    const job = (cmd = 'perl x.pl', scripts = [shown(join(at.work, 'x.pl'), 'print "named\\n"')]) =>
      buildOrder('shell', { cmd, folder: at.work, scripts });
    expect(await named.deliver(job())).toMatchObject({ state: 'done', text: 'named\n' });
    const byPath = job('./x.sh | cat', [shown(join(at.work, 'x.sh'), '#!/bin/sh\necho "by its path"\n')]);
    expect(await named.deliver(byPath)).toMatchObject({ state: 'done', text: 'by its path\n' });
    for (const other of ['sh x.sh', './y.sh', 'cd /; ./x.sh', './x.s*'])
      expect(await named.deliver(job(other)), other).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('runner.yaml of the machine does not name all programs'),
      });
    writeFileSync(join(named.folder, 'runner.yaml'), 'folders: { write: [] }\nprogramms: [perl]\n');
    expect(await named.deliver(job())).toMatchObject({ state: 'refused', reason: 'runner.yaml has a fault in line 2' });
  });

  inSandbox('runs the bytes of a script that were shown, or nothing', async (sandbox) => {
    const at = makeMachine();
    const [path, seen] = [join(at.work, 'x.sh'), 'echo seen; cat x.sh\n'];
    writeFileSync(path, seen);
    const { deliver } = await pairMachine(sandbox, at);
    const job = (scripts: Args[], cmd = 'sh x.sh') => buildOrder('shell', { cmd, folder: at.work, scripts });
    const changed = { state: 'refused', reason: expect.stringContaining('was changed after it was shown') };
    expect(await deliver(job([shown(path, seen)]))).toMatchObject({ state: 'done', text: `seen\n${seen}` });
    // What the command itself puts there does not run either.
    const swapped = await deliver(job([shown(path, seen)], 'echo echo bad > x.sh; sh x.sh'));
    expect(swapped?.text).toMatch(/Read-only file system\nseen/);
    expect(await deliver(job([]))).toMatchObject({ state: 'refused', reason: expect.stringContaining('was not read') });
    writeFileSync(path, 'echo other\n');
    expect(await deliver(job([shown(path, seen)]))).toMatchObject(changed);
    // One that was shown under another hash first.
    expect(await deliver(job([shown(path, 'echo other\n'), shown(path, seen)]))).toMatchObject(changed);
    rmSync(path);
    symlinkSync(join(at.home, 'other', 'diary.txt'), path);
    expect(await deliver(job([shown(path, seen)]))).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('outside'),
    });
  });

  inSandbox('runs what a launcher was shown to run, or nothing', async (sandbox) => {
    const at = makeMachine();
    const [path, seen] = [join(at.work, 'Makefile'), 'x:\n\t@echo seen\n'];
    const [below, called] = [join(at.work, 'y.sh'), 'echo below\n'];
    writeFileSync(path, seen);
    writeFileSync(below, called);
    const { deliver } = await pairMachine(sandbox, at, 'folders: { write: [$HOME/site] }\nprograms: any\n');
    const job = (more: Args, cmd = 'cat Makefile; make x') => buildOrder('shell', { cmd, folder: at.work, ...more });
    const scripts = [shown(path, seen), shown(below, called)];
    const own = 'echo "bad:" > Makefile; echo bad > y.sh; cat Makefile y.sh; make x || true';
    expect((await deliver(job({ scripts }, own)))?.text).toContain(`${seen}${called}`);
    // Nobody read it, and the card said so.
    expect(await deliver(job({ unread: [path] }))).toMatchObject({ state: 'done' });
    writeFileSync(below, 'echo other\n');
    const changed = `${below} was changed after it was shown: ask for the command again`;
    expect(await deliver(job({ scripts }))).toMatchObject({ state: 'refused', reason: changed });
    writeFileSync(join(at.work, 'GNUmakefile'), 'x:\n\t@echo bad\n');
    expect(await deliver(job({ scripts: [shown(path, seen)] }))).toMatchObject({
      state: 'refused',
      reason: 'GNUmakefile stands beside the file that was shown, and would run in its place',
    });
    const key = shown(join(at.home, '.ssh', 'id_rsa'), KEY_TEXT);
    expect(await deliver(job({ scripts: [key] }, 'ls'))).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('credentials'),
    });
  });

  inSandbox('ignores what Act did not sign for it now, and takes every job once', async (sandbox) => {
    const at = makeMachine();
    const { deliver, deliverText, results, folder, claims } = await pairMachine(sandbox, at);
    const make = (changes: object = {}) => buildOrder('shell', { cmd: 'touch ran', folder: at.work }, changes);
    const stranger = buildSigner(Buffer.alloc(32, 9));
    expect(await deliver(make(), stranger)).toBeUndefined();
    for (const changes of [
      { space: 'other' },
      { runner: 'attic' },
      { expiresAt: NOW },
      { issuedAt: NOW + 3_600_000 },
      { action: { ...make().action, tool: 'remember' } },
      { actionHash: '0'.repeat(64) },
    ])
      expect(await deliver(make(changes))).toBeUndefined();
    const signed = signOrder(act, make());
    const changed = { ...signed, job: { ...signed.job, expiresAt: NOW + 120_000 } };
    const { action } = signed.job;
    const half = { ...signed, job: { ...signed.job, action: { ...action, args: { cmd: '\ud800' } } } };
    for (const body of ['', '{}', '[]', JSON.stringify(changed), JSON.stringify(half)]) await deliverText(body);
    expect(existsSync(join(at.work, 'ran'))).toBe(false);
    expect([results.length, claims.size]).toStrictEqual([0, 0]);

    const [one, two] = [make(), make()];
    // The later one comes first, and each comes again.
    for (const job of [two, one, two, one, { ...one, id: 'other#0' }]) await deliver(job);
    await Promise.all([make()].flatMap((job) => [deliver(job), deliver(job)]));
    expect(results.map(({ id }) => id).slice(0, 2)).toStrictEqual([two.id, one.id]);
    expect(results).toHaveLength(3);
    expect(journalOf(folder).filter((kind) => kind === 'job')).toHaveLength(3);
  });

  inSandbox('runs nothing that the stack gave to somebody else', async (sandbox) => {
    const at = makeMachine();
    const { deliver, claims, folder } = await pairMachine(sandbox, at);
    const job = buildOrder('shell', { cmd: 'touch ran', folder: at.work });
    claims.set(job.id, 'f'.repeat(32));
    expect(await deliver(job)).toBeUndefined();
    expect([existsSync(join(at.work, 'ran')), journalOf(folder)]).toStrictEqual([false, []]);
  });

  inSandbox('looks for secrets only when no other job can move them', async (sandbox) => {
    const at = makeMachine();
    const { deliver, results } = await pairMachine(sandbox, at);
    const moving = buildOrder('shell', { cmd: 'mv deep x; sleep 1; mv x deep', folder: at.work });
    const reading = ['grep -r . .', 'ls'].map((cmd) => buildOrder('shell', { cmd, folder: at.work }));
    await Promise.all([moving, ...reading].map((job) => deliver(job)));
    expect(results[0]?.id).toBe(moving.id);
    // Nor does a hash go up of what was moved.
    const path = join(at.work, 'y', '.env');
    expect((await deliver(buildOrder('shell', { cmd: 'mv deep y', folder: at.work })))?.changed).toContainEqual({
      path,
      kind: 'added',
    });
    expect(results.map(({ text }) => text).join()).not.toContain(ENV_TEXT);
  });

  inSandbox('ends a running command when it is told to stop', async (sandbox) => {
    const at = makeMachine();
    const { deliver, machine } = await pairMachine(sandbox, at);
    const job = buildOrder('shell', { cmd: 'echo up; touch up; sleep 600', folder: at.work });
    const ended = deliver(job);
    await expect.poll(() => existsSync(join(at.work, 'up'))).toBe(true);
    machine.running.get(job.id)?.('it was stopped');
    expect(await ended).toMatchObject({ state: 'failed', reason: 'it was stopped', text: 'it was stopped\nup\n' });
  });

  inSandbox('begins nothing after it was told to end, whenever its claim is answered', async (sandbox) => {
    const at = makeMachine();
    const { machine, results, claims } = await pairMachine(sandbox, at);
    const job = (file: string) => buildOrder('shell', { cmd: `touch ${file}`, folder: at.work });
    const run = (one: Order, changes: Partial<Machine>) =>
      runOrder({ ...machine, ...changes }, { body: JSON.stringify(signOrder(act, one)), remove: async () => {} });
    const ending = new AbortController();
    const { stack } = machine;
    const claim: typeof stack.claim = async (body) => {
      ending.abort();
      return stack.claim(body);
    };
    const [late, later] = [job('late'), job('later')];
    await run(late, { signal: ending.signal, stack: { ...stack, claim } });
    await run(later, { signal: ending.signal });
    expect(results).toMatchObject([
      { id: late.id, result: { result: { state: 'failed', reason: 'the runner was ended' } } },
    ]);
    expect([...claims.keys()]).toStrictEqual([late.id]);
    expect(['late', 'later'].filter((file) => existsSync(join(at.work, file)))).toStrictEqual([]);
  });

  inSandbox('says unknown of a job that was begun when the program died, and never runs it', async (sandbox) => {
    const at = makeMachine();
    const first = await pairMachine(sandbox, at);
    const signed = signOrder(act, buildOrder('shell', { cmd: 'touch ran', folder: at.work }));
    const receipt = signReceipt(first.machine.folder.signer, {
      v: 1,
      jobHash: orderHashOf(signed.job),
      runner: 'den',
      takenAt: NOW,
      claim: 'a'.repeat(32),
      runMsMax: 1_000,
    });
    first.machine.journal.append({ kind: 'job', at: NOW, signed });
    first.machine.journal.append({ kind: 'receipt', at: NOW, signed: receipt });
    const second = await pairMachine(sandbox, at);
    expect(second.results).toMatchObject([
      { id: signed.job.id, result: { result: { state: 'unknown', claim: 'a'.repeat(32) } } },
    ]);
    await second.deliverText(JSON.stringify(signed));
    expect([second.results.length, existsSync(join(at.work, 'ran'))]).toStrictEqual([1, false]);
    expect((await pairMachine(sandbox, at)).results).toStrictEqual([]);
  });

  inSandbox('asks each time about a file that programs run, also behind a link', async (sandbox) => {
    const at = makeMachine();
    const { deliver } = await pairMachine(sandbox, at);
    const [makefile, link] = [join(at.work, 'Makefile'), join(at.work, 'notes.md')];
    writeFileSync(makefile, 'all:\n');
    symlinkSync(makefile, link);
    const byGrant = { consent: { kind: 'grant', id: 'a'.repeat(12) } } as const;
    const write = (path: string, changes: Partial<Order> = {}) =>
      deliver({ ...buildOrder('write-file', { path, content: 'x' }), ...changes });
    const [ofGrant, ofLink, linkByCommand] = [
      await write(makefile, byGrant),
      await write(link),
      await deliver(buildOrder('shell', { cmd: 'echo x > notes.md', folder: at.work })),
    ];
    expect(ofGrant).toMatchObject({ state: 'refused', reason: expect.stringContaining('it came by a grant') });
    for (const result of [ofLink, linkByCommand])
      expect(result).toMatchObject({ state: 'refused', reason: expect.stringContaining('name that file itself') });
    expect(readFileSync(makefile, 'utf8')).toBe('all:\n');
    expect(await write(makefile)).toMatchObject({ state: 'done' });
    expect(await write(join(at.work, 'b.md'), byGrant)).toMatchObject({ state: 'done' });
  });

  inSandbox('changes a file only as it was when it was asked about', async (sandbox) => {
    const at = makeMachine();
    const { deliver } = await pairMachine(sandbox, at);
    const path = join(at.work, 'a.txt');
    const old = readFileSync(path, 'utf8');
    const was = hash('sha256', old);
    const edit = { path, find: 'two', replace: '2' };
    const changed = 'was changed after it was read';
    const table: readonly (readonly [string, Parameters<typeof buildOrder>[0], Args, string])[] = [
      ['other bytes', 'write-file', { path, content: 'new', was }, changed],
      ['other bytes', 'edit-file', { ...edit, was }, changed],
      ['one blank more', 'edit-file', { ...edit, was: hash('sha256', `${old} two `) }, changed],
      ['nobody read it', 'write-file', { path, content: 'new', was: 'nothing' }, 'it is there already'],
      ['nobody read it', 'edit-file', { ...edit, was: 'nothing' }, 'it is there already'],
      ['it is gone', 'write-file', { path: join(at.work, 'gone'), content: 'new', was }, changed],
    ];
    writeFileSync(path, `${old}two more`);
    for (const [why, tool, args, reason] of table)
      expect(await deliver(buildOrder(tool, args)), why).toMatchObject({ reason: expect.stringContaining(reason) });
    expect([readFileSync(path, 'utf8'), existsSync(join(at.work, 'gone'))]).toStrictEqual([`${old}two more`, false]);
    writeFileSync(path, old);
    for (const [tool, args] of [
      ['edit-file', { ...edit, was }],
      ['write-file', { path, content: 'new', was: hash('sha256', old.replace('two', '2')) }],
      ['write-file', { path: join(at.work, 'fresh'), content: 'new', was: 'nothing' }],
      // A runbook's card says that whatever is there is replaced.
      ['write-file', { path, content: 'newer' }],
    ] as const)
      expect(await deliver(buildOrder(tool, args))).toMatchObject({ state: 'done', reason: '' });
  });
});

describe('perform', () => {
  inSandbox('touches nothing if a folder became a link after the judgement', async (sandbox) => {
    const at = makeMachine();
    const [path, other] = [join(at.work, 'deep', 'x.txt'), join(at.work, 'second')];
    renameSync(join(at.work, 'deep'), other);
    symlinkSync(other, join(at.work, 'deep'));
    const place = { sandbox, allowed: at.allowed, keepVersion: () => {}, trees: new Map(), skillFiles: [] };
    for (const [tool, args] of [
      ['write-file', { path, content: 'x' }],
      ['list-files', { path: join(at.work, 'deep') }],
    ] as const) {
      const permitted = { kind: 'permitted', tool, args, isReading: tool === 'list-files', scripts: [] } as const;
      const { problem } = await perform(permitted, { ...place, outputFile: outputFile(at) }).performed;
      expect(problem).toMatch(/is not where its path was judged|symbolic link|no folder/);
    }
    expect(existsSync(join(other, 'x.txt'))).toBe(false);
  });
});
