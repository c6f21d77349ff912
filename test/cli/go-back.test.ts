/** `go-back` against a stack that changes as CloudFormation documents it. */
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildGoBack } from '../../infra/cli/commands/go-back.ts';
import { buildTerminal, CliError } from '../../infra/cli/terminal.ts';
import { describeRelease } from '../../infra/releases.ts';
import type { DeployedFunction, StackReleases } from '../../lib/core/store/stack-releases.ts';
import { runCli } from './cli-world.ts';

const NAMES = ['telegram', 'perceive', 'heartbeat'];

interface Published {
  readonly release: string;
  readonly data?: number;
  /** Functions that this release has not. */
  readonly without?: readonly string[];
}

interface FakeOptions {
  readonly releases: readonly Published[];
  readonly data?: number;
  readonly status?: string;
  readonly isOtherGoBack?: boolean;
  /** The state in which CloudFormation ends. */
  readonly end?: string;
  /** Aliases that do not change although the update succeeds. */
  readonly stuck?: readonly string[];
}

/** The newest of the releases is in use. Each update takes three looks at the stack. */
const buildStack = (options: FakeOptions) => {
  const functions = new Map(NAMES.map((name) => [name, { live: '', versions: [] as DeployedFunction['versions'] }]));
  for (const [index, { release, data = 1, without = [] }] of options.releases.entries()) {
    for (const [name, one] of functions) {
      if (without.includes(name)) continue;
      // Version numbers of functions differ: failed deploys took some.
      const version = String(index * 2 + 1 + name.length);
      const description = describeRelease({ name, release, data });
      one.versions = [...one.versions, { version, description, publishedAt: `2026-11-0${index + 1}T10:00:00.000` }];
      one.live = version;
    }
  }
  const newest = options.releases.at(-1)?.release ?? '';
  const parameter = `Back${newest}`;
  const parameters = new Map([
    [parameter, '0,0,0'],
    ['BootstrapVersion', '30'],
  ]);
  let status = options.status ?? 'UPDATE_COMPLETE';
  let looks = 0;
  let after = () => {};
  const calls: string[] = [];
  const begin = (during: string, end: string, then: () => void) => {
    status = during;
    looks = 3;
    after = () => {
      status = options.end ?? end;
      if (status === end) then();
    };
  };
  if (status.endsWith('_IN_PROGRESS'))
    begin(status, status.includes('ROLLBACK') ? 'UPDATE_ROLLBACK_COMPLETE' : 'UPDATE_COMPLETE', () => {});
  const stack: StackReleases = {
    loadStack: async () => {
      looks -= 1;
      if (looks === 0) after();
      const outputs = new Map([
        ['Functions', NAMES.join(',')],
        ['TableName', 'table'],
        ['Space', 'default'],
      ]);
      return { status, reason: '', outputs, parameters: new Map(parameters) };
    },
    loadFunction: async (name) => functions.get(name) ?? { live: '', versions: [] },
    loadDataVersion: async (table, space) => {
      expect([table, space]).toStrictEqual(['table', 'default']);
      return options.data ?? 1;
    },
    isGoingBack: async () => options.isOtherGoBack ?? false,
    setParameter: async (name, value) => {
      calls.push(`${name}=${value}`);
      parameters.set(name, value);
      begin('UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE', () => {
        for (const [index, version] of value.split(',').entries()) {
          const one = functions.get(NAMES[index] ?? '');
          if (one !== undefined && options.stuck?.includes(NAMES[index] ?? '') !== true) one.live = version;
        }
      });
    },
    cancelUpdate: async () => {
      calls.push('cancel');
      begin('UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE', () => {});
    },
  };
  return { stack, calls, parameter, liveOf: () => NAMES.map((name) => functions.get(name)?.live) };
};

const run = async (stack: StackReleases, args: readonly string[] = []) => {
  let out = '';
  let err = '';
  const write = (add: (text: string) => void) => ({ write: (text: string) => add(text) });
  const terminal = buildTerminal(
    write((text) => {
      out += text;
    }),
    write((text) => {
      err += text;
    }),
    false,
    {},
  );
  let now = 0;
  const result = await buildGoBack(async () => stack)
    .run({
      args,
      text: (option) => (option === 'stack' ? 'Home' : undefined),
      texts: () => [],
      flag: () => false,
      terminal,
      input: new PassThrough(),
      output: new PassThrough(),
      env: {},
      folder: '/',
      access: () => Promise.reject(new Error('it asks no console')),
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      err += `${error.message} | ${error.advice}\n`;
      return error.exitCode;
    });
  return { code: result, out, err };
};

const TWO = [{ release: 'aaaa0001' }, { release: 'bbbb0002' }];

describe('go-back', () => {
  it('puts every function on the release before, and says from which version to which', async () => {
    const world = buildStack({ releases: TWO });
    const before = world.liveOf();
    const ran = await run(world.stack);
    expect(before).toStrictEqual(['11', '11', '12']);
    expect(world.calls).toStrictEqual([`${world.parameter}=9,9,10`]);
    expect(world.liveOf()).toStrictEqual(['9', '9', '10']);
    expect(ran).toStrictEqual({
      code: 0,
      out: 'Done: every function runs release aaaa0001. The next deploy moves forward.\n',
      err: [
        'All functions go to release aaaa0001 of 2026-11-01T10:00:',
        '  telegram     version 11 → 9',
        '  perceive     version 11 → 9',
        '  heartbeat    version 12 → 10',
        'CloudFormation: UPDATE_IN_PROGRESS',
        'CloudFormation: UPDATE_COMPLETE',
        '',
      ].join('\n'),
    });
  });

  it('leaves a function that the release before has not', async () => {
    const world = buildStack({ releases: [{ release: 'aaaa0001', without: ['perceive'] }, { release: 'bbbb0002' }] });
    const ran = await run(world.stack);
    expect([ran.code, world.calls]).toStrictEqual([0, [`${world.parameter}=9,11,10`]]);
    expect(ran.err).toContain('perceive     version 11 stays: it is new');
  });

  it('goes back once, and further only to a release that is named', async () => {
    const world = buildStack({ releases: [{ release: 'aaaa0000' }, ...TWO] });
    expect((await run(world.stack)).code).toBe(0);
    const again = await run(world.stack);
    expect([again.code, world.calls.length]).toStrictEqual([1, 1]);
    expect(again.err).toContain('back on an earlier release already; nothing was changed');
    expect((await run(world.stack, ['aaaa0000'])).code).toBe(0);
    expect(world.liveOf()).toStrictEqual(['9', '9', '10']);
    expect((await run(world.stack, ['bbbb0002'])).out).toContain('every function runs release bbbb0002');
  });

  it.each<[string, FakeOptions, readonly string[], RegExp]>([
    ['data that the release before cannot read', { releases: TWO, data: 2 }, [], /of version 2, and release aaaa0001/],
    ['data of an unknown kind', { releases: TWO, data: Number.NaN }, [], /the data is of version NaN/],
    [
      'the first release',
      { releases: [{ release: 'aaaa0001' }] },
      [],
      /no release before aaaa0001 \(2026-11-01T10:00\)/,
    ],
    ['an unknown release', { releases: TWO }, ['cccc0003'], /no release cccc0003.*kept: aaaa0001 \(2026/],
    ['the release in use', { releases: TWO }, ['bbbb0002'], /no release bbbb0002 besides the one in use/],
    [
      'a stack whose last deploy was taken back',
      { releases: TWO, status: 'UPDATE_ROLLBACK_COMPLETE' },
      [],
      /the last deploy was taken back already/,
    ],
  ])('refuses %s, and changes nothing', async (_, options, args, words) => {
    const world = buildStack(options);
    const before = world.liveOf();
    const ran = await run(world.stack, args);
    expect([ran.code, ran.out, world.calls]).toStrictEqual([1, '', []]);
    expect(ran.err).toMatch(words);
    expect(world.liveOf()).toStrictEqual(before);
  });

  it('takes back a deploy that is running', async () => {
    const world = buildStack({ releases: TWO, status: 'UPDATE_IN_PROGRESS' });
    const ran = await run(world.stack);
    expect([ran.code, world.calls]).toStrictEqual([0, ['cancel']]);
    expect(ran.out).toBe('The deploy was taken back: everything is as it was before it.\n');
  });

  it.each([
    ['a deploy that is taken back already', 'UPDATE_ROLLBACK_IN_PROGRESS', false, /The deploy was taken back/],
    ['another go-back', 'UPDATE_IN_PROGRESS', true, /The other go-back is done/],
  ])('waits for %s', async (_, status, isOtherGoBack, words) => {
    const world = buildStack({ releases: TWO, status, isOtherGoBack });
    const ran = await run(world.stack);
    expect([ran.code, world.calls]).toStrictEqual([0, []]);
    expect(ran.out).toMatch(words);
  });

  it('goes back when the deploy only clears away what it replaced', async () => {
    const world = buildStack({ releases: TWO, status: 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS' });
    expect([(await run(world.stack)).code, world.liveOf()]).toStrictEqual([0, ['9', '9', '10']]);
  });

  it.each<[string, Partial<FakeOptions>, RegExp]>([
    ['CloudFormation fails', { end: 'UPDATE_ROLLBACK_COMPLETE' }, /ended with UPDATE_ROLLBACK_COMPLETE/],
    ['a function did not change', { stuck: ['perceive'] }, /these functions did not change: perceive/],
    ['CloudFormation does not end', { end: 'UPDATE_IN_PROGRESS' }, /has not ended in time/],
  ])('fails if %s', async (_, options, words) => {
    const ran = await run(buildStack({ releases: TWO, ...options }).stack);
    expect([ran.code, ran.out]).toStrictEqual([1, '']);
    expect(ran.err).toMatch(words);
  });

  it('says how to go back on a machine', async () => {
    const ran = await runCli(['go-back'], tmpdir());
    expect([ran.code, ran.out]).toStrictEqual([2, '']);
    expect(ran.err).toContain('on your machine: stop, git checkout <commit>, npm ci, npm start');
  });
});
