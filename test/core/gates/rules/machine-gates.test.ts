/**
 * The two gates about what runs on a person's own machine: the class of a command, and the folders
 * that a path must lie in.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../lib/core/base/json.ts';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import { runGates } from '../../../../lib/core/gates/engine/verify.ts';
import { NEVER_GRANTED } from '../../../../lib/core/gates/rules/approval-fitness.ts';
import { checkCommandClass } from '../../../../lib/core/gates/rules/command-class.ts';
import { checkConfinement } from '../../../../lib/core/gates/rules/confinement.ts';
import { actionHash } from '../../../../lib/core/signal/action.ts';
import type { CommandClass, Facts, RunnerFacts, ShellFacts } from '../../../../lib/core/signal/facts.ts';
import { classifyCommand } from '../../../../lib/features/runner/shell/classify-command.ts';
import { factsFor, NOW, POLICY_VERSION, reply, toolCall } from '../samples.ts';

const PASSED = { verdict: 'pass', reason: '' };
const command = toolCall({ tool: 'made-for-this', args: { line: 'x' } });
const effects = { runsCommand: 'line' };
const found = (kind: CommandClass, changes: Partial<ShellFacts> = {}): ShellFacts => ({
  rulesVersion: 5,
  dangers: [],
  class: kind,
  because: kind === 'reads' ? [] : ['it does so'],
  reads: [],
  writes: [],
  programs: [],
  ...changes,
});

describe('checkCommandClass', () => {
  const judge = (kind: CommandClass, changes: Partial<Facts> = {}) =>
    checkCommandClass(command, factsFor(command, { effects, tier: 'ask', shell: found(kind), ...changes }));

  it.each<[CommandClass, 'pass' | 'ask' | 'block', string]>([
    ['reads', 'pass', 'the command only reads'],
    ['changes', 'pass', 'the command changes files: it does so'],
    ['destroys', 'ask', 'the command destroys what it did not make, or rewrites history: it does so'],
    [
      'leaves',
      'block',
      'the command leaves the machine: it does so; runner.yaml of the machine allows no network: its owner writes the line "network: true" there, and is then asked each time',
    ],
    // The permissions ask, and there a grant may answer.
    ['unseen', 'pass', 'the command runs what nobody has seen: it does so'],
  ])('judges a command that %s: %s', (kind, verdict, reason) => {
    expect(judge(kind)).toStrictEqual({ verdict, reason });
  });

  it('lets only a rule that names commands answer for a person, and only for what cannot leave', () => {
    const general = { tier: 'allow', policyReason: 'policy: everything' } as const;
    const named = { ...general, isCommandNamed: true } as const;
    const online = { runner: { ...RUNNER, hasNetwork: true } };
    const verdicts = [general, named, { ...named, origin: 'outside' } as const, { ...named, ...online }].map(
      (changes) => judge('unseen', changes).verdict,
    );
    expect(verdicts).toStrictEqual(['ask', 'pass', 'ask', 'ask']);
    for (const changes of [general, named, { tier: 'ask' } as const]) {
      expect(judge('leaves', { ...changes, ...online }).verdict).toBe('ask');
      expect(judge('leaves', { ...changes, runner: RUNNER }).verdict).toBe('block');
      expect(judge('destroys', changes).verdict).toBe('ask');
      const shell = found('unseen', { destroys: true });
      expect(judge('unseen', { ...changes, shell })).toStrictEqual({
        verdict: 'ask',
        reason: 'the command runs what nobody has seen: it does so; it destroys too',
      });
    }
  });

  it('stops a command without a class, and judges no other tool', () => {
    const reason = 'nobody put this command in a class';
    for (const shell of [null, { rulesVersion: 4, dangers: [] }])
      expect(checkCommandClass(command, factsFor(command, { effects, shell }))).toStrictEqual({
        verdict: 'block',
        reason,
      });
    expect(checkCommandClass(toolCall(), factsFor(toolCall()))).toStrictEqual(PASSED);
  });

  it('is answered by no grant, whatever the grant says', () => {
    const action = toolCall({ tool: 'shell', args: { cmd: 'rm x', folder: '/w', runner: 'desk' } });
    const base: Partial<Facts> = { effects: { runsCommand: 'cmd' }, shell: found('destroys'), runner: RUNNER };
    const grant: Facts['grant'] = {
      id: 'a'.repeat(12),
      actionHash: actionHash(action),
      policyVersion: POLICY_VERSION,
      space: 'default',
      state: 'live',
      expiresAt: NOW + 1,
      gates: ['permissions', 'command-class'],
      coversTaint: true,
    };
    const facts = factsFor(action, { ...base, stage: 'act', tier: 'ask', policyVersion: POLICY_VERSION, grant });
    const { outcome, reason } = runGates(GATE_SET, { action, facts, hash: actionHash(action) });
    expect([...NEVER_GRANTED]).toStrictEqual(['command-class', 'confinement']);
    expect({ outcome, reason }).toStrictEqual({
      outcome: 'block',
      reason:
        'no grant answers for what is asked about each time: the command destroys what it did not make, or rewrites history: it does so',
    });
    for (const shell of [found('changes'), found('unseen')])
      expect(runGates(GATE_SET, { action, facts: { ...facts, shell }, hash: actionHash(action) }).outcome).toBe('pass');
  });
});

const RUNNER: RunnerFacts = {
  name: 'desk',
  isPaired: true,
  isPaused: false,
  home: '/home/ada',
  read: ['/home/ada/docs'],
  write: ['/w'],
  programs: [],
  hasNetwork: false,
};

describe('checkConfinement', () => {
  const outside = (use: string) => `a path that would be ${use} is outside the folders this machine names for that`;
  it('says of a machine that never started that it did not', () => {
    const fresh: RunnerFacts = { ...RUNNER, read: [], write: [], hasNeverStarted: true };
    const action = toolCall({ tool: 'made-for-this', args: { path: '/home/ada/docs/a' } });
    const facts = factsFor(action, { effects: { readsFiles: ['path'] }, runner: fresh });
    expect(checkConfinement(action, facts)).toStrictEqual({
      verdict: 'block',
      reason: 'desk has never started: npx passepartout runner start desk',
    });
  });

  const noForm = (use: string) => `a path that would be ${use} has no canonical form`;
  const read = (path: string, runner: RunnerFacts | undefined = RUNNER) => {
    const action = toolCall({ tool: 'made-for-this', args: { path } });
    return checkConfinement(action, factsFor(action, { effects: { readsFiles: ['path'] }, ...(runner && { runner }) }));
  };
  const write = (path: string) => {
    const action = toolCall({ tool: 'made-for-this', args: { path } });
    return checkConfinement(action, factsFor(action, { effects: { writesFiles: ['path'] }, runner: RUNNER }));
  };

  it.each([
    ['/w', ''],
    ['/w/a/b', ''],
    ['/home/ada/docs/x', ''],
    ['/home/ada/docs', ''],
    ['/home/ada', outside('read')],
    ['/home/ada/docsx', outside('read')],
    ['/wx', outside('read')],
    ['/', outside('read')],
    ['/etc/hosts', outside('read')],
    ['/w/../etc/hosts', noForm('read')],
    ['/w//a', noForm('read')],
    ['/w/a%2fb', noForm('read')],
    ['a', noForm('read')],
    ['~/docs/x', noForm('read')],
    ['', noForm('read')],
  ])('says of reading %s: %s', (path, reason) => {
    expect(read(path)).toStrictEqual(reason === '' ? PASSED : { verdict: 'block', reason });
  });

  it('writes only where a folder is named for it', () => {
    expect(write('/w/a')).toStrictEqual(PASSED);
    expect(write('/home/ada/docs/x')).toStrictEqual({ verdict: 'block', reason: outside('changed') });
    expect(write('/w/.ssh/id_rsa').verdict).toBe('block');
    expect(write('w')).toStrictEqual({ verdict: 'block', reason: noForm('changed') });
  });

  it('judges each path of a command', () => {
    const judge = (shell: ShellFacts | null) =>
      checkConfinement(command, factsFor(command, { effects, shell, runner: RUNNER }));
    expect(judge(found('reads', { reads: ['/w/a', '/home/ada/docs/b'] }))).toStrictEqual(PASSED);
    expect(judge(found('reads', { reads: ['/w/a', '/etc'] })).verdict).toBe('block');
    expect(judge(found('changes', { reads: ['/w'], writes: ['/w/a'] }))).toStrictEqual(PASSED);
    expect(judge(found('changes', { writes: ['/home/ada/docs/b'] })).verdict).toBe('block');
  });

  const ASKED = {
    verdict: 'ask',
    reason: 'it changes a file that programs run by themselves: a hook, a build, CI or a shell',
  };

  it('asks before a file that programs run by themselves is changed, by a tool or a command', () => {
    const byCommand = (cmd: string) => {
      const { writes } = classifyCommand(cmd, { folder: '/w', home: '/home/ada' });
      return checkConfinement(
        command,
        factsFor(command, { effects, shell: found('changes', { writes }), runner: RUNNER }),
      );
    };
    for (const path of ['/w/Makefile', '/w/.git/config', '/w/.husky/pre-commit', '/w/.BASHRC'])
      expect(write(path)).toStrictEqual(ASKED);
    for (const cmd of [
      'echo x > Makefile',
      'echo x | tee -a .bashrc',
      'mv notes.md Makefile',
      'mv sub/Makefile .',
      'cp sub/Makefile .',
      'cp -r tpl/.husky .',
      'cp --target-directory=.husky x',
      'install -m 755 x .husky/pre-commit',
      'ln Makefile notes.md',
      'ln -sf /w/x package.json',
      'sed -i s/a/b/ package.json',
      'cd sub && echo x > .bash_profile',
    ])
      expect([cmd, byCommand(cmd)]).toStrictEqual([cmd, ASKED]);
    for (const cmd of ['echo x > notes.md', 'mv a.md b.md', 'cp Makefile notes.md', 'touch a', 'cp a /dev/null'])
      expect([cmd, byCommand(cmd)]).toStrictEqual([cmd, PASSED]);
    expect(read('/w/Makefile')).toStrictEqual(PASSED);
    expect(write('/etc/Makefile').verdict).toBe('block');
  });

  it('is answered by no grant, and no policy', () => {
    const judge = (args: JsonObject, changes: Partial<Facts>) => {
      const action = toolCall({ tool: 'made-for-this', args });
      const grant: Facts['grant'] = {
        id: 'a'.repeat(12),
        actionHash: actionHash(action),
        policyVersion: POLICY_VERSION,
        space: 'default',
        state: 'live',
        expiresAt: NOW + 1,
        gates: ['permissions', 'confinement'],
        coversTaint: true,
      };
      const base = { effects: { writesFiles: ['path'] }, runner: RUNNER, policyVersion: POLICY_VERSION, grant };
      const facts = factsFor(action, {
        ...base,
        stage: 'act',
        tier: 'ask',
        ...changes,
        grant: { ...grant, ...changes.grant },
      });
      return runGates(GATE_SET, { action, facts, hash: actionHash(action) });
    };
    const note = { path: '/w/notes.md' };
    expect(judge(note, {}).outcome).toBe('pass');
    for (const tier of ['ask', 'allow'] as const)
      expect(judge({ path: '/w/Makefile' }, { tier })).toMatchObject({
        outcome: 'block',
        reason: `no grant answers for what is asked about each time: ${ASKED.reason}`,
      });
    // As an earlier release stored it.
    const open = { grant: { isLoosened: true } } as unknown as Partial<Facts>;
    expect(judge(note, open).reason).toContain('covers its very arguments only');
    expect(judge(note, { ...open, effects: { readsFiles: ['path'] } }).outcome).toBe('pass');
  });

  it('knows a root that is the whole machine', () => {
    const runner = { ...RUNNER, read: ['/'] };
    expect([read('/etc/hosts', runner), read('/', runner)]).toStrictEqual([PASSED, PASSED]);
  });

  it.each([
    [{ ...RUNNER, isPaired: false }, 'no machine of this name is paired'],
    [{ ...RUNNER, isPaused: true }, 'this machine is paused'],
  ])('stops a machine that is not there', (runner, reason) => {
    expect(read('/w/a', runner)).toStrictEqual({ verdict: 'block', reason });
  });

  it('stops what names no machine, and judges no tool that works elsewhere', () => {
    const action = toolCall({ tool: 'made-for-this', args: { path: '/w/a' } });
    expect(checkConfinement(action, factsFor(action, { effects: { readsFiles: ['path'] } }))).toStrictEqual({
      verdict: 'block',
      reason: 'it is not known on which machine this would run',
    });
    for (const other of [toolCall(), reply()]) expect(checkConfinement(other, factsFor(other))).toStrictEqual(PASSED);
  });
});
