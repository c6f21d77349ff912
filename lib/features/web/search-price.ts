/** The price of a search, which Act charges. Pure. */
import { toolPrice } from '../../core/money/caps.ts';
import type { ServiceEnv } from '../../core/tools/tool.ts';

/**
 * Micro-dollars of a search without a plan, from the makers' price pages, November 2026. Nobody is
 * paid for a SearXNG.
 */
const PRICES = new Map([
  ['brave', 5_000],
  ['tavily', 8_000],
  ['kagi', 12_000],
]);

export const searchCosts = ({ SEARCH: service = '' }: ServiceEnv): readonly (readonly [string, number])[] => [
  [toolPrice('search-web'), PRICES.get(service) ?? 0],
];
