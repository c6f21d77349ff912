/** E-mail in programs of this machine. */
import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { SETTINGS, type Variables } from '../../../lib/core/store/settings.ts';
import { readServer, serverProblem } from '../../../lib/features/mail/server.ts';
import type { ChannelProgram, Connection } from '../../channel-program.ts';
import { inspectMailbox } from './inspect.ts';

const NEEDED = ['MAIL_ADDRESS', 'MAIL_IMAP', 'MAIL_SMTP', 'MAIL_PASSWORD'] as const;

const isSet = (variables: Variables): boolean => NEEDED.every((name) => variables[name]);

/** The secret of the door follows from the password: whoever has one needs no other. */
const doorSecretOf = (password: string): string => createHmac('sha256', password).update('mail door').digest('hex');

const OFF: Connection = {
  description: 'off (set MAIL_ADDRESS)',
  problem: () => undefined,
  stop: () => Promise.resolve(),
};

export const mailProgram: ChannelProgram = {
  name: 'e-mail',
  findConflicts: (variables) => {
    const servers = (['MAIL_IMAP', 'MAIL_SMTP'] as const).flatMap((name) =>
      variables[name] ? (serverProblem(name, variables[name]) ?? []) : [],
    );
    const [given] = NEEDED.filter((name) => variables[name]);
    return given === undefined
      ? []
      : [
          ...servers,
          ...NEEDED.filter((name) => !variables[name]).map((name) => `${name}: is missing (${given} is set)`),
        ];
  },
  derive: (variables) => ({
    MAIL_STATE: isSet(variables) ? 'polling' : 'off',
    MAIL_DOOR_SECRET: isSet(variables) ? doorSecretOf(variables.MAIL_PASSWORD ?? '') : undefined,
  }),
  publicHostOf: () => undefined,
  headChecks: () => ({}),
  inspect: inspectMailbox,
  connect: async ({ variables, stackUrl, log }) => {
    if (!isSet(variables)) return OFF;
    const { MAIL_ADDRESS: address = '', MAIL_IMAP: imap = '', MAIL_PASSWORD: password = '' } = variables;
    const { startMailPoller } = await import('./poller.ts');
    const poller = startMailPoller({
      ...{ password, log, door: `${stackUrl}/mail`, secret: doorSecretOf(password), server: readServer(imap, address) },
      pollMs: Number(variables.MAIL_POLL_SECONDS ?? SETTINGS.MAIL_POLL_SECONDS.default) * SECOND_MS,
    });
    const problem = () => (poller.problem() === '' ? undefined : `E-mail: ${poller.problem()}`);
    return { description: 'polled', problem, stop: poller.stop };
  },
};
