/** E-mail as a channel, against a mailbox and a way out of others. */
import { afterAll, beforeAll } from 'vitest';
import { CHANNELS } from '../../../lib/core/signal/channels.ts';
import { openMailSender } from '../../../lib/features/mail/deliver.ts';
import { parseMail } from '../../../lib/features/mail/parse-mail.ts';
import { fileId } from '../../../lib/features/mail/update.ts';
import { describeChannel, type FarEnd } from '../../core/channels/contract.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { AGENT, buildMail, PASSWORD, RECEIVER, startMailbox, startWayOut } from '../../support/mail-servers.ts';

const NOW = 1_790_000_000_000;
const OWNER = 'owner@home.example';
const config = { address: AGENT, authservId: RECEIVER, space: 'default', isServed: true, topic: undefined, now: NOW };

let dynamo: Awaited<ReturnType<typeof startDynamo>>;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(async () => await dynamo.stop());

const nothing = async () => {
  throw new Error('no action here has a file');
};

const open = async (): Promise<FarEnd> => {
  const mailbox = await startMailbox();
  const wayOut = await startWayOut();
  const space = `s${Math.random()}`.replace('.', '');
  return {
    sender: openMailSender({
      ...{ address: AGENT, password: PASSWORD, served: [OWNER], space, table: dynamo.table },
      ...{ smtp: wayOut.url, imap: mailbox.url, loadFile: nothing, loadCard: nothing },
    }),
    target: 'mail',
    to: OWNER,
    shown: () => wayOut.taken.map(({ text = '' }, n) => ({ id: n + 1, text: text.replace(/\n$/, ''), buttons: [] })),
    addFile: (bytes) => {
      mailbox.deliver(buildMail({ file: { name: 'a.bin', type: 'application/octet-stream', content: bytes } }));
      return fileId({ validity: 7, uid: mailbox.mails().length }, '2');
    },
    loseNextAnswer: () => wayOut.fail('lost'),
    refuseNext: () => wayOut.fail({ code: 451 }),
    close: async () => {
      await mailbox.close();
      await wayOut.close();
    },
  };
};

describeChannel({
  target: 'mail',
  traits: CHANNELS.mail,
  parse: (update) => parseMail(update, config),
  said: (text, by, n = 1) => ({
    ...{ validity: 7, uid: n, at: NOW, files: [], plain: text },
    head: buildMail({ id: `<${n}@home.example>`, date: new Date(NOW), dmarc: by === 'owner' ? 'pass' : '' }),
  }),
  open,
});
