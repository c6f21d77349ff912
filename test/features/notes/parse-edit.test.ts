import { describe, expect, it } from 'vitest';
import { parseEdit } from '../../../lib/features/notes/parse-edit.ts';
import { anObject } from '../../core/memory/notes.ts';

const NOTE = anObject('old', 0, { tags: ['a', 'b'] });

describe('parseEdit', () => {
  it.each([
    ['title New words', { title: 'New words' }],
    ['title -', { title: '' }],
    ['TITLE x', { title: 'x' }],
    ['state DONE', { state: 'DONE' }],
    ['tags #x y', { tags: ['x', 'y'] }],
    ['tags +#c -a', { tags: ['b', 'c'] }],
    ['tags -', { tags: [] }],
    ['property effort 2 h', { properties: { effort: '2 h' } }],
    ['property effort -\nproperty area south', { properties: { effort: '', area: 'south' } }],
    ['parent 3F2A9C', { parent: '3f2a9c' }],
    ['parent none', { parent: 'none' }],
    ['order 2', { order: 2 }],
    ['scope Session', { scope: 'session' }],
    ['title x\nstate TODO\ntext one\ntitle two\n', { title: 'x', state: 'TODO', text: 'one\ntitle two' }],
    ['text -', { text: '' }],
  ])('reads %j', (words, change) => {
    expect(parseEdit(NOTE, words)).toStrictEqual(change);
  });

  it.each([
    '',
    'title',
    'text',
    'order 0',
    'order x',
    'scope all',
    'property effort',
    'colour red',
    'title x\ncolour red',
  ])('knows no form of %j', (words) => {
    expect(parseEdit(NOTE, words)).toBeUndefined();
  });
});
