/** SKILLS_DIR, as the start of the stack on this machine begins to look at it. */
import { expect, it, vi } from 'vitest';
import { BESIDE } from '../../../infra/local/features.ts';
import { parseLocalSettings } from '../../../infra/local/settings.ts';

it('is looked at beside the stack if it is named', async () => {
  const said: string[] = [];
  const running = { access: { url: 'http://127.0.0.1:1', approverToken: 'x' }, say: (line: string) => said.push(line) };
  const begin = async (variables: Readonly<Record<string, string>>) => {
    const begun = await Promise.all(BESIDE.map((start) => start(parseLocalSettings(variables), running)));
    return begun.flatMap((end) => end ?? []);
  };
  expect(await begin({})).toStrictEqual([]);
  const ends = await begin({ SKILLS_DIR: '/nowhere' });
  expect(ends).toHaveLength(1);
  await vi.waitFor(() => expect(said).toStrictEqual([expect.stringContaining('SKILLS_DIR: ')]));
  for (const end of ends) end();
});
