/** News to a webhook of a deployed stack, where the page has an address. */
import { afterAll, expect, it } from 'vitest';
import { changeOwnerSetting } from '../../../lib/core/ledger/change-owner-setting.ts';
import { subscriptionField } from '../../../lib/features/subscriptions/subscriptions.ts';
import { buildApprovalWorld } from '../../flow/approval-world.ts';
import { startDynamo } from '../../support/dynamo.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

it('names the decision on the page, and no word of the call that waits', async () => {
  const bodies: unknown[] = [];
  const world = buildApprovalWorld(dynamo.table, {
    variables: { CONSOLE_URL: 'https://page.example/' },
    outside: ({ target, args }) => {
      if (target === 'webhook') bodies.push(args?.body);
      return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
    },
  });
  const setting = world.command('hooks');
  await changeOwnerSetting(dynamo.table, setting, subscriptionField('deploys'), 'approval.waiting');
  const id = await world.say('deploy a-secret-branch');
  expect(bodies).toMatchObject([
    {
      type: 'approval.waiting',
      data: {
        id,
        n: 0,
        line: 'A call of the webhook deploys waits for your yes.',
        link: `https://page.example/#/decisions/${id}`,
      },
    },
  ]);
  expect(JSON.stringify(bodies)).not.toContain('a-secret-branch');
});
