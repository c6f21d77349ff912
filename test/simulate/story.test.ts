import { describe, expect, it } from 'vitest';
import { buildRandom } from './world/random.ts';
import { buildStory } from './world/story.ts';

const stories = Array.from({ length: 2_000 }, (_, seed) => buildStory(buildRandom(seed, 'test')));
const share = (holds: (story: (typeof stories)[number]) => boolean): number =>
  stories.filter(holds).length / stories.length;

describe('buildStory', () => {
  it('gives the same story for the same seed', () => {
    expect(buildStory(buildRandom(7, 'test'))).toStrictEqual(buildStory(buildRandom(7, 'test')));
    expect(new Set(stories.map((story) => JSON.stringify(story))).size).toBeGreaterThan(1_300);
  });

  it('orders steps by time and never uses a marker twice', () => {
    for (const story of stories) {
      expect(story.map(({ afterMs }) => afterMs)).toStrictEqual(
        story.map(({ afterMs }) => afterMs).sort((a, b) => a - b),
      );
      expect(new Set(story.map(({ marker }) => marker)).size).toBe(story.length);
    }
  });

  it('is short mostly, and now and then long', () => {
    expect(share(({ length }) => length <= 2)).toBeGreaterThan(0.5);
    expect(share(({ length }) => length >= 10)).toBeGreaterThan(0.01);
  });

  it('draws every kind of step and every answer to a card', () => {
    const kinds = new Set(
      stories.flat().map((step) => {
        if (step.kind === 'event') return `event ${step.source}`;
        if (step.kind === 'command') return `${step.command} ${step.via}`;
        return `${step.verb} ${step.via} ${step.card?.answer ?? ''}`.trim();
      }),
    );
    const messages = (via: string) => [
      ...['say', 'note', 'long', 'bad', 'mute'].map((verb) => `${verb} ${via}`),
      ...['hook', 'both'].flatMap((verb) => ['approve', 'deny', 'ignore'].map((answer) => `${verb} ${via} ${answer}`)),
      ...['approve', 'deny', via === 'telegram' ? 'similar' : 'ignore'].map((answer) => `call ${via} ${answer}`),
    ];
    const commands = ['stop', 'resume'].flatMap((name) => [`${name} telegram`, `${name} control`]);
    expect([...kinds].sort()).toStrictEqual(
      ['event shop', 'event builds', ...messages('telegram'), ...messages('console'), ...commands].sort(),
    );
  });
});
