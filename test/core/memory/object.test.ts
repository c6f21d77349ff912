import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import { MEMORY_CONTENT_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import { buildForgotten, buildNote, contentHashOf, memoryIdOf, objectHashOf } from '../../../lib/core/memory/object.ts';
import { fc } from '../../support/fast-check.ts';
import { aNote, NONCE, NOW } from './notes.ts';

describe('buildNote', () => {
  it('builds the first version with everything that is stored', () => {
    const contentHash = contentHashOf('The spare key is under the blue pot');
    const id = memoryIdOf('con-1#0');
    expect(buildNote(aNote())).toStrictEqual({
      state: 'live',
      schemaVersion: 2,
      id,
      type: 'note',
      scope: 'memex',
      origin: 'owner',
      version: 1,
      commit: 0,
      createdAt: NOW,
      updatedAt: NOW,
      bySignal: 'con-1',
      byEffect: 'con-1#0',
      children: [],
      attributes: { tags: ['home'] },
      content: 'The spare key is under the blue pot',
      nonce: NONCE,
      contentHash,
      hash: objectHashOf({
        id,
        type: 'note',
        attributes: { tags: ['home'] },
        nonce: NONCE,
        contentHash,
        scope: 'memex',
        origin: 'owner',
        children: [],
      }),
    });
  });

  it('keeps each tag once', () => {
    expect(buildNote(aNote({ tags: ['a', 'b', 'a'] })).attributes).toStrictEqual({ tags: ['a', 'b'] });
  });

  it.each([
    ['an empty text', { text: '' }, 'content'],
    ['a text that is too long', { text: 'x'.repeat(MEMORY_CONTENT_CHARS_MAX + 1) }, 'content'],
    ['an empty tag', { tags: [''] }, 'attributes'],
    ['too many tags', { tags: Array.from({ length: 17 }, (_, n) => `t${n}`) }, 'attributes'],
    ['a nonce of another form', { nonce: 'short' }, 'nonce'],
  ])('refuses %s by field, not by value', (_, changes, field) => {
    expect(() => buildNote(aNote(changes))).toThrow(new ProtocolError(`a memory object does not fit: ${field}`));
  });

  it('refuses a text that is not Unicode', () => {
    expect(() => buildNote(aNote({ text: 'a\ud800' }))).toThrow(ProtocolError);
  });
});

describe('objectHashOf', () => {
  const parts = fc.record({
    id: fc.string({ unit: 'grapheme' }),
    type: fc.constantFrom('note' as const, 'headline' as const),
    attributes: fc.record({ tags: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }) }),
    nonce: fc.string({ unit: 'grapheme' }),
    contentHash: fc.string({ unit: 'grapheme' }),
    scope: fc.constantFrom('memex' as const, 'session' as const),
    origin: fc.constantFrom('owner' as const, 'outside' as const),
    children: fc.constant<{ id: string; hash: string }[]>([]),
  });

  it('differs exactly when a part differs', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(objectHashOf(a) === objectHashOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('changes with every single part', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom('id', 'type', 'nonce', 'contentHash', 'tags'), (whole, part) => {
        const changed =
          part === 'tags'
            ? { ...whole, attributes: { tags: [...whole.attributes.tags, 'x'] } }
            : { ...whole, [part]: `${whole[part]}x` };
        expect(objectHashOf(changed)).not.toBe(objectHashOf(whole));
      }),
    );
  });

  it('is the hash of the canonical form, rebuilt here by hand', async () => {
    const { createHash } = await import('node:crypto');
    const canonical = `{"attributes":{"tags":["t"]},"children":["h"],"contentHash":"c","id":"i","nonce":"n","origin":"owner","scope":"memex","type":"note"}`;
    const expected = createHash('sha256').update(`passepartout/memory-object\n${canonical}`).digest('hex');
    const parts = { id: 'i', attributes: { tags: ['t'] }, nonce: 'n', contentHash: 'c' };
    const place = { type: 'note', scope: 'memex', origin: 'owner', children: [{ id: 'j', hash: 'h' }] } as const;
    expect(objectHashOf({ ...parts, ...place, children: [...place.children] })).toBe(expected);
  });
});

describe('memoryIdOf', () => {
  it('gives 128 bits in hex that depend on the effect alone', () => {
    expect(memoryIdOf('con-1#0')).toMatch(/^[0-9a-f]{32}$/);
    expect(memoryIdOf('con-1#0')).toBe(memoryIdOf('con-1#0'));
    expect(memoryIdOf('con-1#0')).not.toBe(memoryIdOf('con-1#1'));
  });
});

describe('buildForgotten', () => {
  it('keeps the hash and nothing from which the text could be guessed', () => {
    const object = buildNote(aNote());
    const forgotten = buildForgotten(object, { forgottenAt: NOW + 5, bySignal: 'con-2' });
    expect(forgotten).toStrictEqual({
      state: 'forgotten',
      schemaVersion: 2,
      id: object.id,
      type: 'note',
      scope: 'memex',
      origin: 'owner',
      version: 1,
      commit: 0,
      createdAt: NOW,
      updatedAt: NOW,
      bySignal: 'con-1',
      byEffect: 'con-1#0',
      hash: object.hash,
      tombstone: { forgottenAt: NOW + 5, bySignal: 'con-2' },
    });
  });

  it('leaves an earlier tombstone as it is', () => {
    const first = buildForgotten(buildNote(aNote()), { forgottenAt: NOW + 5, bySignal: 'con-2' });
    expect(buildForgotten(first, { forgottenAt: NOW + 9, bySignal: 'con-3' })).toStrictEqual(first);
  });
});
