/** Channels are named by one list: a new one is a row there, and a folder. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ChannelId } from '../../lib/core/signal/channels.ts';

/** The list, the channels' own code, the console's API, and names of functions. */
const MAY_NAME = [
  'lib/core/signal/channels.ts',
  'lib/core/channels/',
  'lib/core/edge/console/',
  'lib/features/telegram/',
  'lib/core/store/settings.ts',
];

it('no other code names a channel', () => {
  const named = new RegExp(`['"\`](?:${ChannelId.options.join('|')})['"\`:]`);
  const files = globSync('lib/**/*.ts').filter((path) => !MAY_NAME.some((start) => path.startsWith(start)));
  const found = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) => (named.test(line) && !/^\s*(?:\*|\/)/.test(line) ? [`${path}:${at + 1}`] : [])),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toStrictEqual([]);
});

it.each(ChannelId.options)('the channel %s is held to the contract of channels', (id) => {
  const [test = ''] = globSync(`test/{core/channels,features}/${id}/contract.test.ts`);
  expect(test, `${id} has no contract.test.ts: test/core/channels/toy.test.ts is the smallest example`).not.toBe('');
  expect(readFileSync(test, 'utf8')).toContain(`traits: CHANNELS.${id},`);
});
