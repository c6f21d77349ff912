/** The step of the set-up that takes a mailbox, tries it, and asks whose word on senders counts. */
import { serverProblem } from '../../../lib/features/mail/server.ts';
import { judgeEndpoints, nowhere } from '../../cli/setup/judge-endpoints.ts';
import { problemOf } from '../../cli/setup/problem-of.ts';
import { fine, type Step } from '../../cli/setup/step.ts';
import { findReceiver, inspectMailbox } from './inspect.ts';

export const mailStep: Step = {
  name: 'mail',
  title: 'A mailbox, for e-mail',
  isAlone: true,
  ask: async (questions, variables) => {
    questions.tell('The agent reads a mailbox of its own, and deletes nothing there. Leave it empty for none.');
    const check = (name: Parameters<typeof problemOf>[0]) => (text: string) =>
      text === '' ? undefined : problemOf(name, text);
    const address = await questions.ask('The address of the mailbox', check('MAIL_ADDRESS'), variables.MAIL_ADDRESS);
    if (address === '') return undefined;
    const host = address.slice(address.lastIndexOf('@') + 1);
    const askServer = async (what: string, name: 'MAIL_IMAP' | 'MAIL_SMTP', usual: string) =>
      (await questions.ask(
        what,
        (text) => (text === '' ? undefined : serverProblem(name, text)),
        variables[name] ?? usual,
      )) ||
      (variables[name] ?? usual);
    const imap = await askServer('Its IMAP server', 'MAIL_IMAP', `imaps://imap.${host}`);
    const smtp = await askServer('Its SMTP server', 'MAIL_SMTP', `smtps://smtp.${host}`);
    const password = await questions.askSecret('Its password, or one for programs (not shown)');
    if (password === '') return undefined;
    const taken = { MAIL_ADDRESS: address, MAIL_IMAP: imap, MAIL_SMTP: smtp, MAIL_PASSWORD: password };
    const found = await questions.during('Looking at its newest mails', () => findReceiver(taken));
    questions.tell('Your provider checks each sender and writes so into Authentication-Results, first its own name.');
    const id = await questions.ask('That name; empty trusts no sender', check('MAIL_AUTHSERV_ID'), found);
    const authserv = id === '' ? found : id;
    return { ...taken, ...(authserv === undefined ? {} : { MAIL_AUTHSERV_ID: authserv }) };
  },
  check: async (variables) => {
    const box = await inspectMailbox(variables, nowhere);
    return box === undefined ? fine('No mailbox is set.') : judgeEndpoints([box]);
  },
};
