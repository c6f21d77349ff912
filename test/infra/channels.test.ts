/** Channels are named by one list: a new one is a row there, and a folder. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ChannelId } from '../../lib/signal/channels.ts';

/** The list, the channels' own code, the console's API, and names of functions. */
const MAY_NAME = [
  'lib/signal/channels.ts',
  'lib/edge/telegram/',
  'lib/channels/',
  'lib/edge/console/',
  'lib/store/settings.ts',
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
