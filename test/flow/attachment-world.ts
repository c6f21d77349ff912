/** Files of messages in the simulation: bytes, a place for them, and whoever reads them. */
import { createHash } from 'node:crypto';
import type { MessageNumber } from '../../lib/core/ledger/record.ts';
import type { ActWays } from '../../lib/core/operations/act-feature.ts';
import type { Attachment } from '../../lib/core/signal/attachment.ts';
import { buildAttachmentPiece } from '../../lib/core/signal/attachment-piece.ts';
import { providersOf, type Simulation, type Step, signalWith } from '../support/simulation.ts';

export const VOICE: Attachment = { kind: 'a voice message', file: 'voice', seconds: 12 };
export const PDF: Attachment = { kind: 'a file', file: 'pdf' };
export const PHOTO: Attachment = { kind: 'a photo', file: 'photo' };
export const OTHER_PHOTO: Attachment = { kind: 'a photo', file: 'other' };

const FILES: Readonly<Record<string, string>> = {
  voice: 'OggS…',
  pdf: '%PDF-1.7 …',
  photo: '\x89PNG\r\n\x1a\n one',
  other: '\x89PNG\r\n\x1a\n two',
};
export const hashOf = (file: string): string =>
  createHash('sha256')
    .update(Buffer.from(FILES[file] ?? '', 'latin1'))
    .digest('hex');

/** A provider that takes pictures. */
export const SEEING = { name: 'test', baseUrl: 'http://127.0.0.1/v1', model: 'test', images: true };
/** Reserved for the voice message, and what it comes to: the provider heard half of it. */
export const [RESERVED, COST] = [12_000, 6_000];

const noSkill = () => Promise.reject(new Error('no attachment is a file of a skill'));
const NO_SKILL_FILES = { take: noSkill, keep: noSkill, load: noSkill, erase: noSkill };

export const buildAttachmentWorld = () => {
  const stored = new Map<string, Uint8Array>();
  const texts = new Map<string, string>();
  const asked = { transcriptions: 0, readings: 0 };
  const buildWays = (step: Step): Partial<ActWays> => ({
    contents: {
      keep: (bytes) =>
        step(async () => {
          const hash = createHash('sha256').update(bytes).digest('hex');
          stored.set(hash, bytes);
          return hash;
        }),
      load: async (hash) => {
        const bytes = stored.get(hash);
        return bytes && new Uint8Array(bytes);
      },
      keepText: (hash, text) => step(async () => void texts.set(hash, text)),
      loadText: async (hash) => texts.get(hash),
      erase: (hash) =>
        step(async () => {
          texts.delete(hash);
          stored.delete(hash);
        }),
      ofSkills: NO_SKILL_FILES,
    },
    transcribe: (_endpoint, _bytes, _name, onBilled) =>
      step(async () => {
        asked.transcriptions += 1;
        onBilled?.(6);
        return 'buy milk';
      }),
    runFunction: () =>
      step(async () => {
        asked.readings += 1;
        return { kind: 'answered', answer: { text: 'the report' } };
      }),
  });
  const options = {
    variables: {
      ...providersOf(SEEING),
      TRANSCRIPTION_MODEL: 'm',
      TRANSCRIPTION_PRICE: '0.06',
      DOCUMENT_FUNCTION: 'document',
    },
    files: (step: Step) => ({
      fetchFile: (file: string) => step(async () => new Uint8Array(Buffer.from(FILES[file] ?? '', 'latin1'))),
      ways: buildWays(step),
    }),
  };
  return { options, stored, asked };
};

/** A message of an approver that brings a file. */
export const acceptFile = (
  simulation: Simulation,
  space: string,
  id: number,
  file: Attachment,
  number?: MessageNumber,
) => {
  const origin = file.kind === 'a voice message' ? 'owner' : 'outside';
  const text = [buildAttachmentPiece(file, origin)];
  return simulation.accept(signalWith(space, `tg-1-${id}`, { sensor: 'chat-message', text }), number);
};
