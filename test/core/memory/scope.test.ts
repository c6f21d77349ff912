import { describe, expect, it } from 'vitest';
import { chosenScopeOf } from '../../../lib/core/memory/chosen-scope.ts';
import type { LiveObject } from '../../../lib/core/memory/object.ts';
import type { MemoryScope } from '../../../lib/core/memory/object-parts.ts';
import { buildInScope, projectsAbove, type Viewpoint } from '../../../lib/core/memory/scope.ts';
import { aNode } from './notes.ts';

interface Sketch {
  readonly under?: string;
  readonly scope?: MemoryScope;
  readonly session?: string;
  readonly isProject?: boolean;
}

const build = (id: string, { under, scope = 'memex', session, isProject = false }: Sketch): LiveObject => ({
  ...aNode(id, 'x', {
    scope,
    attributes: {
      tags: isProject ? ['project'] : [],
      ...(session === undefined ? {} : { properties: { session } }),
    },
  }),
  ...(under === undefined ? {} : { parentId: under }),
});

const idOf = (n: number) => n.toString(16).padStart(32, '0');
const SKETCHES: Readonly<Record<string, Sketch>> = {
  plain: {},
  here: { scope: 'session', session: 'here' },
  there: { scope: 'session', session: 'there' },
  nobodys: { scope: 'session' },
  'below here': { under: 'here' },
  house: { isProject: true },
  roof: { under: 'house', isProject: true },
  'of house': { under: 'house', scope: 'project' },
  'of roof': { under: 'roof', scope: 'project' },
  'below of house': { under: 'of house' },
  garden: { isProject: true },
  'of garden': { under: 'garden', scope: 'project' },
  'of nothing': { scope: 'project' },
};
const NAMES = Object.keys(SKETCHES);
const named = (name: string) => idOf(NAMES.indexOf(name) + 1);
const OBJECTS = new Map(
  Object.entries(SKETCHES).map(([name, sketch]) => {
    const { under, ...rest } = sketch;
    const object = build(named(name), under === undefined ? rest : { ...rest, under: named(under) });
    return [object.id, object];
  }),
);

const ALWAYS = ['plain', 'house', 'roof', 'garden'];

describe('buildInScope', () => {
  it.each<[string, Viewpoint, readonly string[]]>([
    ['no conversation', {}, []],
    ['a conversation', { session: 'here' }, ['here', 'below here']],
    ['another one', { session: 'there' }, ['there']],
    ['the focus on a project', { focus: named('house') }, ['of house', 'below of house']],
    ['the focus in a project', { focus: named('below of house') }, ['of house', 'below of house']],
    ['the focus on a project of a project', { focus: named('roof') }, ['of house', 'below of house', 'of roof']],
    ['the focus on another project', { focus: named('garden') }, ['of garden']],
    ['the focus on a note of no project', { focus: named('plain') }, []],
    ['the focus on nothing that is there', { focus: idOf(99) }, []],
  ])('finds from %s what is in scope', (_, viewpoint, more) => {
    const inScope = buildInScope(OBJECTS, viewpoint);
    const found = NAMES.filter((name) => inScope(OBJECTS.get(named(name)) ?? build('x', {})));
    expect(found).toStrictEqual(NAMES.filter((name) => [...ALWAYS, ...more].includes(name)));
  });
});

describe('projectsAbove', () => {
  it('names the nearest first', () => {
    expect(projectsAbove(OBJECTS, named('of roof'))).toStrictEqual([named('roof'), named('house')]);
    expect(projectsAbove(OBJECTS, named('plain'))).toStrictEqual([]);
  });
});

describe('chosenScopeOf', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ scope: 'session' as const }, { scope: 'session' }],
    [
      { scope: 'project' as const, scopeProject: 'p' },
      { scope: 'project', project: 'p' },
    ],
    [{ scope: 'project' as const }, undefined],
  ])('reads %j', (head, chosen) => {
    expect(chosenScopeOf(head)).toStrictEqual(chosen);
  });
});
