import { describe, expect, it } from 'vitest';
import { loadDocumentText } from '../../../lib/core/actuators/key-context.ts';
import { NO_READER } from '../../../lib/core/operations/document-messages.ts';

type Parts = Parameters<typeof loadDocumentText>[0];

const partsWith = (kept: string | undefined): Parts =>
  ({
    env: {},
    secrets: new Map(),
    world: { ways: { contents: { loadText: async () => kept } } },
    loadToolSet: async () => ({ features: [] }),
  }) as unknown as Parts;

describe('loadDocumentText', () => {
  it('gives the text that is kept, and says if no feature reads the document again: then it is not sent', async () => {
    expect(await loadDocumentText(partsWith('the words'), new Map(), 'a')).toBe('the words');
    expect(await loadDocumentText(partsWith(undefined), new Map(), 'a')).toStrictEqual({ why: NO_READER });
  });
});
