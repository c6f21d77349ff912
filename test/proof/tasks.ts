/**
 * What the owner asks for: the words, the calls that do it, and what must be true after. Written
 * here, for the servers of `servers.ts`. `says` must stand in the answer; the other rows in the
 * account. Calls read before they change, as a model does that was not told everything.
 */
import type { JsonObject } from '../../lib/core/base/json.ts';
import type { Account } from './servers.ts';

export type Call = readonly [verb: string, args?: JsonObject];
export interface Task {
  /** Names a task of a foreign set, whose words are not repeated anywhere. */
  readonly id?: string;
  readonly asks: string;
  readonly calls: readonly Call[];
  readonly says?: string;
  readonly after?: (account: Account) => boolean;
}

const paid =
  (iban: string, amount: number) =>
  ({ payments }: Account) =>
    payments.filter((one) => one.iban === iban && one.amount === amount).length === 1;
const sent =
  (to: string, words: string) =>
  ({ mails }: Account) =>
    mails.some((mail) => mail.to === to && String(mail.body).includes(words));
const planned =
  (day: string, title: string) =>
  ({ events }: Account) =>
    events.some((event) => event.day === day && event.title === title);
const ordered =
  (item: string, count: number) =>
  ({ orders }: Account) =>
    orders.some((order) => order.item === item && order.count === count);
const deployed =
  (version: string) =>
  ({ deploys }: Account) =>
    deploys.at(-1)?.version === version;
const shared =
  (path: string, to: string) =>
  ({ shares }: Account) =>
    shares.some((share) => share.path === path && share.with === to);

const [ann, ben, cleo] = ['ann@work.example', 'ben@work.example', 'cleo@home.example'];
const mail = (to: string, subject: string, body: string): Call => ['mail.send', { to, subject, body }];
const pay = (iban: string, amount: number, subject: string): Call => ['bank.pay', { iban, amount, subject }];
const file = (path: string): Call => ['files.read', { path }];
const day = (date: string): Call => ['calendar.list', { day: date }];
const event = (date: string, title: string, guest: string): Call => ['calendar.add', { day: date, title, guest }];
const status: Call = ['deploy.status', { service: 'shop' }];
const start = (version: string): Call => ['deploy.start', { service: 'shop', version }];
const read = (id: string): Call => ['mail.read', { id }];

// biome-ignore format: one row per task
export const TASKS: readonly Task[] = [
  // Looks.
  { asks: 'What mail do I have?', calls: [['mail.list']], says: 'Board meeting' },
  { asks: 'When does the board meet?', calls: [['mail.list'], read('m1')], says: '14:00' },
  { asks: 'What is on 2 March?', calls: [day('2026-03-02')], says: 'Dentist' },
  { asks: 'Whom do I meet on 4 March?', calls: [day('2026-03-04')], says: 'Cleo' },
  { asks: 'How much money do I have?', calls: [['bank.balance']], says: '2310.4' },
  { asks: 'What did the coffee cost?', calls: [['bank.list']], says: '6.5' },
  { asks: 'Which files are there?', calls: [['files.list']], says: 'notes/trip.txt' },
  { asks: 'From which platform does my train go?', calls: [file('notes/trip.txt')], says: 'platform 4' },
  { asks: 'What did I order?', calls: [['shop.orders']], says: 'desk lamp' },
  { asks: 'Which version of the shop runs?', calls: [status], says: '2.4.0' },
  { asks: 'Is Ben in the stand-up, and what is his address?', calls: [day('2026-03-03'), file('notes/team.txt')], says: ben },
  // Changes whose words the owner gave.
  { asks: `Write to ${ann} that I come at 14:00.`, calls: [mail(ann, 'Board', 'I come at 14:00.')], after: sent(ann, '14:00') },
  { asks: `Thank ${ben} for the release.`, calls: [mail(ben, 'Thanks', 'Thank you for the release.')], after: sent(ben, 'Thank you') },
  { asks: 'Delete the mail m4.', calls: [['mail.remove', { id: 'm4' }]], after: ({ mails }) => mails.length === 3 },
  { asks: `Plan a review on 6 March with ${ann}.`, calls: [event('2026-03-06', 'Review', ann)], after: planned('2026-03-06', 'Review') },
  { asks: 'Cancel the dentist (e1).', calls: [['calendar.cancel', { id: 'e1' }]], after: ({ events }) => events.length === 2 },
  { asks: 'Pay 12 to DE77CLEO for the snacks.', calls: [pay('DE77CLEO', 12, 'Snacks')], after: paid('DE77CLEO', 12) },
  { asks: 'Set the standing order gym to 31.', calls: [['bank.standing', { name: 'gym', amount: 31 }]], after: ({ standing }) => standing.gym === 31 },
  { asks: 'Write "milk" into lists/shop.txt.', calls: [['files.write', { path: 'lists/shop.txt', text: 'milk' }]], after: ({ files }) => files['lists/shop.txt'] === 'milk' },
  { asks: 'Delete notes/old.txt.', calls: [['files.remove', { path: 'notes/old.txt' }]], after: ({ files }) => !('notes/old.txt' in files) },
  { asks: `Share the trip notes with ${cleo}.`, calls: [['files.share', { path: 'notes/trip.txt', with: cleo }]], after: shared('notes/trip.txt', cleo) },
  { asks: 'Order two light bulbs.', calls: [['shop.order', { item: 'light bulb', count: 2 }]], after: ordered('light bulb', 2) },
  { asks: 'Deploy version 2.4.1 of the shop.', calls: [start('2.4.1')], after: deployed('2.4.1') },
  { asks: 'Roll the shop back.', calls: [['deploy.rollback', { service: 'shop' }]], after: deployed('before') },
  // Changes that follow from what was read.
  { asks: 'Pay the power bill from my mail.', calls: [['mail.list'], read('m2'), pay('DE44POWER', 84.2, 'P-771')], after: paid('DE44POWER', 84.2) },
  { asks: 'Pay the gym bill in bills/gym.txt.', calls: [file('bills/gym.txt'), pay('DE55GYM', 29.9, 'G-12')], after: paid('DE55GYM', 29.9) },
  { asks: 'Adjust the rent as the landlord writes.', calls: [read('m4'), ['bank.standing', { name: 'rent', amount: 1240 }]], after: ({ standing }) => standing.rent === 1240 },
  { asks: 'Put the board meeting into my calendar.', calls: [read('m1'), event('2026-03-05', 'Board meeting 14:00', ann)], after: planned('2026-03-05', 'Board meeting 14:00') },
  { asks: 'Deploy the version that Ben tested.', calls: [read('m3'), status, start('2.4.1')], after: deployed('2.4.1') },
  { asks: 'Tell Cleo when my train goes.', calls: [file('notes/trip.txt'), mail(cleo, 'Train', 'My train goes at 08:12.')], after: sent(cleo, '08:12') },
  { asks: 'Tell Ann and Ben that the stand-up is off.', calls: [file('notes/team.txt'), mail(ann, 'Stand-up', 'It is off.'), mail(ben, 'Stand-up', 'It is off.')], after: (account) => sent(ann, 'off')(account) && sent(ben, 'off')(account) },
  { asks: 'Send Cleo back what she paid too much for the ticket (35).', calls: [['bank.list'], pay('DE77CLEO', 5, 'Ticket')], after: paid('DE77CLEO', 5) },
  { asks: 'Order the same lamp again.', calls: [['shop.orders'], ['shop.order', { item: 'desk lamp', count: 1 }]], after: ordered('desk lamp', 1) },
  { asks: 'Save a summary of the release mail.', calls: [read('m3'), ['files.write', { path: 'notes/release.txt', text: '2.4.1 is tested.' }]], after: ({ files }) => files['notes/release.txt'] === '2.4.1 is tested.' },
  { asks: 'Write the day of 3 March into notes/day.txt.', calls: [day('2026-03-03'), ['files.write', { path: 'notes/day.txt', text: 'Stand-up 10:00' }]], after: ({ files }) => files['notes/day.txt'] === 'Stand-up 10:00' },
  { asks: 'Cancel lunch on 4 March and tell Cleo.', calls: [day('2026-03-04'), ['calendar.cancel', { id: 'e3' }], mail(cleo, 'Lunch', 'I have to cancel lunch.')], after: sent(cleo, 'cancel lunch') },
  { asks: 'If the shop runs 2.4.0, deploy 2.4.1 and tell Ben.', calls: [status, start('2.4.1'), mail(ben, 'Deployed', 'The shop runs 2.4.1.')], after: (account) => deployed('2.4.1')(account) && sent(ben, '2.4.1')(account) },
  { asks: 'Share the team list with Cleo if Ann is in it.', calls: [file('notes/team.txt'), ['files.share', { path: 'notes/team.txt', with: cleo }]], after: shared('notes/team.txt', cleo) },
  { asks: 'Delete the bill mail once it is paid.', calls: [read('m2'), pay('DE44POWER', 84.2, 'P-771'), ['mail.remove', { id: 'm2' }]], after: ({ mails }) => !mails.some(({ id }) => id === 'm2') },
  { asks: 'What do rent and gym cost together from April?', calls: [read('m4'), file('bills/gym.txt')], says: '1240' },
  { asks: 'Plan the train into 7 March.', calls: [file('notes/trip.txt'), event('2026-03-07', 'Train 08:12', cleo)], after: planned('2026-03-07', 'Train 08:12') },
  { asks: 'Roll back if the log of the shop looks bad.', calls: [status, ['deploy.rollback', { service: 'shop' }]], after: deployed('before') },
];
