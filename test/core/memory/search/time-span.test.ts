import { describe, expect, it } from 'vitest';
import { dayOfTitle, spanOfQuestion, type TimeSpan } from '../../../../lib/core/memory/search/time-span.ts';

const NOW = Date.UTC(2026, 6, 15);
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const textOf = (span: TimeSpan | undefined): string =>
  span === undefined ? 'none' : `${dayText(span.from)} ${dayText(span.until)}`;

describe('spanOfQuestion', () => {
  it.each([
    ['What did we buy in May 2023?', '2023-05-01 2023-06-01'],
    ['what happened in june', '2026-06-01 2026-07-01'],
    ['and in December?', '2025-12-01 2026-01-01'],
    ['Where were we last spring?', '2026-03-01 2026-06-01'],
    ['Wo waren wir letzten Sommer?', '2025-06-01 2025-09-01'],
    ['im März', '2026-03-01 2026-04-01'],
    ['on 3 June, 2023', '2023-06-03 2023-06-04'],
    ['on October 13th', '2025-10-13 2025-10-14'],
    ['am 8. Mai', '2026-05-08 2026-05-09'],
    ['am 08.05.2023', '2023-05-08 2023-05-09'],
    ['since 2021', '2021-01-01 2022-01-01'],
    ['letztes Jahr', '2025-01-01 2026-01-01'],
    ['last week', '2026-07-01 2026-07-15'],
    ['gestern', '2026-07-13 2026-07-15'],
    ['May I march until they fall?', 'none'],
    ['the year of the dog', 'none'],
    ['who is Mr 2023?', 'none'],
  ])('reads %s as %s', (question, span) => {
    expect(textOf(spanOfQuestion(question, NOW))).toBe(span);
  });
});

describe('dayOfTitle', () => {
  it.each([
    ['2023-05-08', '2023-05-08 2023-05-09'],
    ['1:56 pm on 8 May, 2023', '2023-05-08 2023-05-09'],
    ['Montag, 8. Mai 2023', '2023-05-08 2023-05-09'],
    ['Plans for May 2023', 'none'],
    ['Chapter 8', 'none'],
  ])('reads %s as %s', (title, span) => {
    expect(textOf(dayOfTitle(title))).toBe(span);
  });
});
