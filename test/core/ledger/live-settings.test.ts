import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/core/base/defined.ts';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import {
  buildLive,
  joinProviders,
  LIVE_SETTINGS,
  liveField,
  madeUnder,
  SETTINGS_VERSION,
} from '../../../lib/core/ledger/live-settings.ts';
import { settingOf } from '../../../lib/core/store/settings.ts';

const SOURCE = { BUDGET_DAY_USD: '5', TIME_ZONE: 'UTC' };

it('madeUnder names the settings of a decision once: a model’s has them beside its choice', () => {
  const own = { signalId: 'con-1', actions: [] } as never;
  const ofModel = { ...(own as object), attempt: { n: 1 } } as never;
  expect([madeUnder(own, '3'), madeUnder(own, undefined), madeUnder(ofModel, '3')]).toStrictEqual([
    { ...(own as object), seen: [{ id: 'settings', version: 3 }] },
    own,
    ofModel,
  ]);
});

/** A record of the owner's, the clock, and what was built, each time it was. */
const world = (waitsBriefly?: true) => {
  const state = {
    now: 0,
    round: 1,
    versions: [] as (string | undefined)[],
    fields: {} as Record<string, string>,
    reads: 0,
    isAway: false,
    isMute: false,
    built: [] as string[],
  };
  const live = buildLive({
    space: 's',
    ...defined({ waitsBriefly }),
    source: SOURCE,
    now: () => state.now,
    table: {
      load: async () => {
        state.reads += 1;
        if (state.isAway) throw new Error('away');
        if (state.isMute) await new Promise(() => undefined);
        const fields = Object.entries(state.fields).map(([name, value]) => [
          liveField(name),
          { value, by: 'x', at: 1 },
        ]);
        return [{ schemaVersion: 1, round: state.round, fields: JSON.stringify(Object.fromEntries(fields)) }];
      },
    },
    build: ({ BUDGET_DAY_USD = '', HOME_CHAT = '', [SETTINGS_VERSION]: version }) => {
      state.versions.push(version);
      if (BUDGET_DAY_USD === 'x') throw new ConfigError(['BUDGET_DAY_USD: no']);
      state.built.push(`${BUDGET_DAY_USD} ${HOME_CHAT}`);
      return BUDGET_DAY_USD;
    },
  });
  return { state, live };
};

it.each([
  [
    '{"home":{"model":"a"}}',
    '{"home":{"model":"b"},"more":{"model":"c"}}',
    '{"home":{"model":"a"},"more":{"model":"c"}}',
  ],
  [undefined, '{"more":{"model":"c"}}', '{"more":{"model":"c"}}'],
])('joinProviders adds to the environment’s, and puts none in place of one: %s %s', (environment, stored, joined) => {
  expect(joinProviders(environment, stored)).toBe(joined);
});

describe('buildLive', () => {
  it('builds again only when a stored value changes, and reads at most twelve times a minute', async () => {
    const { state, live } = world();
    for (state.now = 0; state.now < 60_000; state.now += 500) expect(await live()).toBe('5');
    expect([state.reads, state.built]).toStrictEqual([12, ['5 ']]);
    state.fields = { BUDGET_DAY_USD: '9', HOME_CHAT: '7' };
    expect(await live()).toBe('9');
    state.fields = { BUDGET_DAY_USD: '', HOME_CHAT: '' };
    state.now += 10_000;
    expect(await live()).toBe('5');
    expect(state.built).toStrictEqual(['5 ', '9 7', '5 ']);
  });

  it('names the version of the stored settings, if one of them is live', async () => {
    const { state, live } = world();
    for (const [round, fields] of [
      [2, { BUDGET_DAY_USD: '9' }],
      // Something else of the record changed.
      [3, { BUDGET_DAY_USD: '9' }],
      [4, { BUDGET_DAY_USD: '' }],
      [5, { BUDGET_DAY_USD: '' }],
    ] as const) {
      Object.assign(state, { round, fields, now: state.now + 10_000 });
      await live();
    }
    expect(state.versions).toStrictEqual([undefined, '2', '3', undefined]);
  });

  it('waits for a look, which is one for all who ask at a time', async () => {
    const { state, live } = world();
    state.fields = { BUDGET_DAY_USD: '9' };
    expect(await Promise.all([live(), live(), live()])).toStrictEqual(['9', '9', '9']);
    expect(state.reads).toBe(1);
  });

  it('stays as it was for a value that does not fit', async () => {
    const { state, live } = world();
    state.fields = { BUDGET_DAY_USD: 'x' };
    expect(await live()).toBe('5');
  });

  it('fails while the table is away, and reads again with the next message', async () => {
    const { state, live } = world();
    state.isAway = true;
    await expect(live()).rejects.toThrow('away');
    state.isAway = false;
    state.fields = { BUDGET_DAY_USD: '9' };
    expect(await live()).toBe('9');
  });

  it('waits half a second for a look if it waits briefly, and fails no work', async () => {
    const { state, live } = world(true);
    state.isAway = true;
    expect(await live()).toBe('5');
    state.isAway = false;
    state.fields = { BUDGET_DAY_USD: '9' };
    expect(await live()).toBe('9');
    state.isMute = true;
    state.now += 10_000;
    expect(await live()).toBe('9');
  });

  it('takes no secret, and nothing that a deployment or the machine decides', () => {
    const wrong = LIVE_SETTINGS.filter((name) => settingOf(name).isSecret === true || settingOf(name).by !== undefined);
    expect([wrong, LIVE_SETTINGS.length]).toStrictEqual([[], 26]);
  });
});
