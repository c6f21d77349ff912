/** What `/resume` asks for: everything, or one conversation by its name. Pure. */
import { type Payload, SessionName } from './signal.ts';

/** @param rest what stands behind the word. Anything but nothing or one conversation's name is no resume: it is answered, and lifts nothing. */
export const buildResume = (rest: string): Payload => {
  const named = rest.trim();
  if (named === '') return { sensor: 'resume' };
  const session = SessionName.safeParse(named);
  return session.success
    ? { sensor: 'resume', session: session.data }
    : { sensor: 'command', name: 'resume', rest: named };
};
