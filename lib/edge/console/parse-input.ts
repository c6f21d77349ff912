/**
 * What was typed, as a payload: STOP in any case is an interrupt, `/word …` a command, everything
 * else a message. Pure. A path such as `/etc/hosts` is no command: a command is one plain word.
 */
import { buildResume } from '../../signal/resume.ts';
import type { Payload, TextPiece } from '../../signal/signal.ts';

const COMMAND = /^\/([A-Za-z][A-Za-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/;

/** @param piece the text's origin, and what it is called where that is not the owner */
export const parseInput = (text: string, piece: Omit<TextPiece, 'text'>): Payload => {
  const trimmed = text.trim();
  if (trimmed.toUpperCase() === 'STOP') return { sensor: 'interrupt' };
  const command = COMMAND.exec(trimmed);
  if (command === null) return { sensor: 'chat-message', text: [{ text, ...piece }] };
  const name = (command[1] ?? '').toLowerCase();
  if (name === 'stop') return { sensor: 'interrupt' };
  if (name === 'resume') return buildResume(command[2] ?? '');
  return { sensor: 'command', name, rest: (command[2] ?? '').trim() };
};
