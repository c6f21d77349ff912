/** The language of the console: that of the approver's first words from a German client. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOwnerSetting } from '../../../../lib/core/ledger/change-owner-setting.ts';
import { languageField, languageOf, loadOwnerSettings } from '../../../../lib/core/ledger/owner-settings.ts';
import { MAIN_CONSOLE } from '../../../../lib/core/signal/channels.ts';
import { storedDataVersion } from '../../../../lib/core/store/data-version.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, startConsole, type TestConsole } from './console-server.ts';
import { SPACE } from './stored-fixtures.ts';

const worlds: TestConsole[] = [];
let world: TestConsole;
beforeEach(async () => {
  world = await startConsole();
  worlds.push(world);
});
afterAll(() => Promise.all(worlds.map(({ stop }) => stop())));

const say = (text: string, language: string, token = APPROVER_TOKEN) =>
  world.ask('POST', '/api/messages', { body: { text }, language, token });
const spoken = async () => languageOf(await loadOwnerSettings(world.dynamo.table, SPACE), MAIN_CONSOLE);
const by = (receivedAt: number) => ({
  ...{ id: 'con-1', space: SPACE, receivedAt },
  sender: { id: 'console-approver', isApprover: true },
});

describe('POST /api/messages', () => {
  it.each([
    ['hello', 'de-AT,en;q=0.5', APPROVER_TOKEN, 'de'],
    ['/jobs list', 'de', APPROVER_TOKEN, 'de'],
    ['hello', 'en', APPROVER_TOKEN, 'en'],
    ['hello', 'fr', APPROVER_TOKEN, 'en'],
    ['hello', 'de', SCRIPT_TOKEN, 'en'],
    ['/stop', 'de', APPROVER_TOKEN, 'en'],
  ])('has the console speak after “%s” in %s (token %s): %s', async (text, language, token, expected) => {
    expect((await say(text, language, token)).status).toBe(202);
    expect(await spoken()).toBe(expected);
    // A release that knows no such text refuses the table.
    expect((await storedDataVersion(world.dynamo.table, SPACE)) > 1).toBe(expected === 'de');
  });

  it.each(['en', 'de'])('keeps %s once somebody chose it', async (chosen) => {
    await changeOwnerSetting(world.dynamo.table, by(1), languageField(MAIN_CONSOLE), chosen);
    await say('hello', 'de');
    expect(await spoken()).toBe(chosen);
  });

  it('takes words although the settings cannot be read', async () => {
    await changeOwnerSetting(world.dynamo.table, by(1), 'x', 'y');
    await world.dynamo.table.update({ pk: `setting#${SPACE}`, sk: 'owner' }, { set: { fields: 'no JSON' } });
    expect((await say('hello', 'de')).status).toBe(202);
    expect(world.reported).toHaveLength(1);
  });
});
