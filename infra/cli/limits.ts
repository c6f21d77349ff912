/**
 * Bounds that the files of `infra/cli` share: a name ends in its unit, a comment gives the reason
 * for the number.
 */
import { KIB, SECOND_MS } from '../../lib/base/limits.ts';
import {
  MEMORY_DEPTH_MAX,
  MEMORY_OBJECT_TAGS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from '../../lib/memory/limits.ts';

/** How long `send` waits for a turn to end, unless told otherwise, and at most. */
export const CLI_WAIT_S_DEFAULT = 60;
/** Looks at a running turn: often at first, because most answers are quick, then less. */
export const CLI_POLL_MS = [100, 150, 250, 400, 600, 1 * SECOND_MS] as const;
/** Silence after which a person is told that something is going on. */
export const CLI_PROGRESS_AFTER_MS = 1 * SECOND_MS;
/** How long a decision on an approval is followed up. */
export const CLI_DECISION_WAIT_S = 15;
/** One file of notes: books are smaller, and its tree is held in memory while it is read. */
export const NOTE_FILE_BYTES_MAX = 4 * 1024 * KIB;
/**
 * Levels of one tree, the document itself among them: as deep as memory goes, less one for long
 * texts in parts. Deeper headings are kept on the last level.
 */
export const NOTE_DEPTH_MAX = MEMORY_DEPTH_MAX - 1;
/** A heading's words: a longer line is text that lost its line feed. */
export const NOTE_TITLE_CHARS_MAX = MEMORY_TITLE_CHARS_MAX;
/**
 * Tags and properties of one node, and a property's name: as memory has them, less the properties
 * an import adds itself.
 */
export const NOTE_TAGS_MAX = MEMORY_OBJECT_TAGS_MAX;
export const NOTE_PROPERTY_NAME_CHARS_MAX = MEMORY_PROPERTY_NAME_CHARS_MAX;
