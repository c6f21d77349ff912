/**
 * What a person typed, as a payload: STOP in any case is an interrupt, `/word …` a command, everything else a message of
 * the owner's. Pure. A path such as `/etc/hosts` is no command, because a command is one plain word.
 */
import { buildResume } from '../signal/resume.ts';
import type { Payload } from '../signal/signal.ts';

const COMMAND = /^\/([A-Za-z][A-Za-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/;

export const parseInput = (text: string): Payload => {
  const trimmed = text.trim();
  if (trimmed.toUpperCase() === 'STOP') return { sensor: 'interrupt' };
  const command = COMMAND.exec(trimmed);
  if (command === null) return { sensor: 'chat-message', text: [{ text, origin: 'owner' }] };
  const name = (command[1] ?? '').toLowerCase();
  if (name === 'stop') return { sensor: 'interrupt' };
  if (name === 'resume') return buildResume(command[2] ?? '');
  return { sensor: 'command', name, rest: (command[2] ?? '').trim() };
};
