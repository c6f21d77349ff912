/** What a hostile git repository makes git run, in the real sandbox: nothing that it names. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../../infra/runner/folder-tree.ts';
import { findGitPrograms, HARMLESS_KEYS } from '../../../infra/runner/git-programs.ts';
import type { Sandbox } from '../../../infra/runner/sandbox.ts';
import { inSandbox, makeMachine, type TestMachine } from './machine.ts';
import { buildOrder, pairMachine } from './orders.ts';

const ALLOW = 'folders: { read: [$HOME/notes], write: [$HOME/site] }\nmemory: 256MB\ntime: 10s\n';
const ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@a.example',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@a.example',
};

/** A repository with one commit and a change; `evil` says on its output that it ran. */
const makeRepository = (work: string) => {
  const git = (...args: readonly string[]): void => void execFileSync('git', ['-C', work, ...args], { env: ENV });
  git('init', '-q');
  const evil = join(work, 'evil');
  writeFileSync(evil, '#!/bin/sh\necho EVIL RAN; echo EVIL RAN >&2\n', { mode: 0o755 });
  writeFileSync(join(work, '.gitattributes'), 'a.txt diff=bad filter=bad merge=bad\n');
  git('add', '.gitattributes', 'a.txt');
  git('commit', '-qm', 'first');
  writeFileSync(join(work, 'a.txt'), 'one\n2\nthree\n');
  return { git, evil };
};

const run = async (sandbox: Sandbox, at: TestMachine, cmd: string, hasConsent = true) => {
  const { deliver } = await pairMachine(sandbox, at, ALLOW);
  const result = await deliver(buildOrder('shell', { cmd, folder: at.work }, { hasConsent }));
  rmSync(join(at.root, 'runners'), { recursive: true, force: true });
  return result;
};

const EVIL_KEYS = [
  'core.fsmonitor',
  'core.alternateRefsCommand',
  'core.pager',
  'core.editor',
  'core.sshCommand',
  'diff.external',
  'diff.bad.command',
  'diff.bad.textconv',
  'filter.bad.clean',
  'filter.bad.smudge',
  'filter.bad.process',
  'merge.bad.driver',
  'gpg.program',
  'pager.log',
  'tar.bad.command',
  'man.bad.cmd',
  'alias.st',
  'hook.bad.command',
];

describe('git in the sandbox', () => {
  inSandbox('runs no program of a repository for a command that only reads', async (sandbox) => {
    const at = makeMachine();
    const { git, evil } = makeRepository(at.work);
    for (const key of EVIL_KEYS) git('config', key, key.startsWith('alias') ? `!${evil}` : evil);
    git('config', 'filter.bad.required', 'true');
    git('config', 'man.viewer', 'bad');
    git('config', 'core.hooksPath', at.work);
    execFileSync('git', ['clone', '-q', '--bare', at.work, join(at.work, 'other')], { env: ENV });
    writeFileSync(join(at.work, '.git', 'objects', 'info', 'alternates'), join(at.work, 'other', 'objects'));
    for (const cmd of [
      'git status --short',
      'git diff',
      'git log -p --show-signature',
      'git log --alternate-refs',
      'git show',
      'git blame a.txt',
      'git archive --format=bad HEAD',
      'git cat-file -p HEAD:a.txt',
      'cd deep && git status && git ls-files -m :/',
      'git help log',
    ]) {
      const result = await run(sandbox, at, cmd);
      expect(result?.state, `${cmd}: ${result?.reason}`).toBe('done');
      expect(result?.text, cmd).not.toContain('EVIL');
    }
    expect((await run(sandbox, at, 'git diff'))?.text).toMatch(/^-two\n\+2$/m);
    expect((await run(sandbox, at, 'git status --short'))?.text).toContain(' M a.txt');
  });

  inSandbox('runs none of a nested repository, a submodule or a working tree of its own', async (sandbox) => {
    const at = makeMachine();
    const { git } = makeRepository(at.work);
    const sub = join(at.work, 'sub');
    mkdirSync(sub);
    const inner = makeRepositoryIn(sub);
    git('add', 'sub');
    inner.git('config', 'core.fsmonitor', inner.evil);
    inner.git('config', 'diff.bad.textconv', inner.evil);
    for (const cmd of ['git status', 'git diff --submodule=diff', 'cd sub && git diff', 'git -C sub status'])
      expect((await run(sandbox, at, cmd))?.text, cmd).not.toContain('EVIL');
  });

  inSandbox('does not read with git what includes another configuration', async (sandbox) => {
    const at = makeMachine();
    const { git } = makeRepository(at.work);
    git('config', 'include.path', '../more');
    expect(await run(sandbox, at, 'git status')).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('includes another'),
    });
    expect(await run(sandbox, at, 'cat a.txt')).toMatchObject({ state: 'done' });
  });

  inSandbox('runs none of a folder that a repository calls its common one', async (sandbox) => {
    const at = makeMachine();
    const { git, evil } = makeRepository(at.work);
    git('config', 'diff.bad.textconv', evil);
    const common = join(at.work, 'common');
    mkdirSync(common);
    for (const name of ['config', 'objects', 'refs']) renameSync(join(at.work, '.git', name), join(common, name));
    writeFileSync(join(at.work, '.git', 'commondir'), '../common');
    const result = await run(sandbox, at, 'git diff');
    expect(result).toMatchObject({ state: 'done', text: expect.not.stringContaining('EVIL') });
    expect(findGitPrograms([readTree(at.work, new Map())]).isAny).toBe(true);
  });

  inSandbox('changes a repository that names programs only with consent', async (sandbox) => {
    const at = makeMachine();
    const { git, evil } = makeRepository(at.work);
    const commit = 'git -c user.name=a -c user.email=a@a.example commit -qm second -- a.txt';
    const hook = join(at.work, '.git', 'hooks', 'pre-commit');
    writeFileSync(hook, readFileSync(evil), { mode: 0o755 });
    const refused = { state: 'refused', reason: expect.stringContaining('names programs that git would run') };
    expect(await run(sandbox, at, commit, false)).toMatchObject(refused);
    rmSync(hook);
    git('config', 'filter.bad.clean', evil);
    expect(await run(sandbox, at, commit, false)).toMatchObject(refused);
    expect(await run(sandbox, at, 'git status', false)).toMatchObject({ state: 'done' });
    git('config', '--remove-section', 'filter.bad');
    expect(await run(sandbox, at, commit, false)).toMatchObject({ state: 'done', exitCode: 0 });
    writeFileSync(hook, readFileSync(evil), { mode: 0o755 });
    const again = commit.replace('-qm', '--allow-empty -qm');
    expect((await run(sandbox, at, again))?.text).toContain('EVIL RAN');
  });
});

const makeRepositoryIn = (folder: string) => {
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
  return makeRepository(folder);
};

describe('findGitPrograms', () => {
  const at = makeMachine();
  makeRepository(at.work);
  const config = join(at.work, '.git', 'config');
  const usual = readFileSync(config, 'utf8');
  const isAny = (text: string): boolean => {
    writeFileSync(config, text);
    return findGitPrograms([readTree(at.work, new Map())]).isAny;
  };
  it('takes a link in the place of hooks for hooks', () => {
    const other = makeMachine();
    makeRepository(other.work);
    rmSync(join(other.work, '.git', 'hooks'), { recursive: true });
    symlinkSync('../deep', join(other.work, '.git', 'hooks'));
    expect(findGitPrograms([readTree(other.work, new Map())]).isAny).toBe(true);
  });

  it('switches off a hook that a configuration names', () => {
    writeFileSync(config, `${usual}[hook "bad"]\ncommand = x\nevent = post-index-change\n`);
    const { switchedOff } = findGitPrograms([readTree(at.work, new Map())]);
    expect(Object.values(switchedOff)).toEqual(expect.arrayContaining(['hook.bad.command', 'hook.bad.enabled']));
  });

  it('refuses to read by a configuration that is no text in UTF-8', () => {
    writeFileSync(config, Buffer.from(`${usual}[diff "b\xe4d"]\ntextconv = x\n`, 'latin1'));
    expect(findGitPrograms([readTree(at.work, new Map())])).toMatchObject({ isAny: true, hasIncludes: true });
  });

  it('lets no key be that git has not, or that names a program', (context) => {
    const { stdout, error } = spawnSync('git', ['help', '--config'], { encoding: 'utf8', env: ENV });
    if (error !== undefined) return context.skip('git is missing: its list of keys was not compared');
    const known = new Set(stdout.toLowerCase().replaceAll('*', '<name>').split('\n'));
    const plain = HARMLESS_KEYS.map((key) => key.toLowerCase());
    // Of git's own format, of another program, or of a later git.
    const others = /^(?:core\.(?:repositoryformatversion|longpaths)|extensions\.\w+|lfs\..+|(?:color|advice)\.<name>)$/;
    expect(plain.filter((key) => !known.has(key) && !others.test(key))).toStrictEqual([]);
    const runs =
      /hook|command$|program|cmd$|editor|pager|helper|tool|driver|process|textconv|templatedir|strategy|mergeoptions|twohead|octopus|askpass|viewer|browser|external|^include|fsmonitor|\.clean$|smudge|vcs$|(?:upload|receive)pack$|^submodule\..+\.update$|bundleuri|proxy$|^alias\./;
    expect(plain.filter((key) => runs.test(key))).toStrictEqual([]);
    // The same list, seen from git's side: whatever it has of that kind counts as a program.
    for (const key of [...known].filter((one) => runs.test(one) && /^(?!advice|color)[^<]+\./.test(one)))
      expect(isAny(`${usual}[${key.replace(/\.(\w+)$/, ']\n\t$1')} = x\n`), key).toBe(true);
  });

  it.each([
    '',
    '[gc]\n\tauto = 0\n[gc "refs/x"]\n\treflogExpire = never\n[pack]\n\tthreads = 1\n[pull]\n\trebase = true\n',
    '[remote "origin"]\n\turl = https://a.example/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user] name = a\n# note\n',
  ])('lets a usual configuration be: %j', (text) => {
    expect(isAny(usual + text)).toBe(false);
  });

  it.each([
    '[core] fsmonitor = x\n',
    '[gc]\nrecentObjectsHook = x\n',
    '[branch "main"]\nmergeOptions = -s x\n',
    '[pull]\ntwohead = x\n',
    '[init]\ntemplateDir = x\n',
    '[fetch]\nbundleURI = x\n',
    '[CORE]\nfsMonitor=x\n',
    '[core]\nx = a \\\n[user]\nsshcommand = x\n',
    '[filter "a\\"b"]\nclean = x\n',
    '[diff.bad]\ntextconv = x\n',
    '[remote "a"]\nuploadpack = x\n',
    '[submodule "a"]\nupdate = !x\n',
    '[include]\npath = x\n',
    '[includeIf "gitdir:/"]\npath = x\n',
    '[alias]\nst = !x\n',
    'not a line of git',
  ])('takes what is not plainly harmless for one that names programs: %j', (text) => {
    expect(isAny(usual + text)).toBe(true);
  });
});
