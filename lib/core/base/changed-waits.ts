/**
 * Clocks that no setting names, as far as tests change them: stacks and simulations of tests run
 * the functions in their own process (`test/support/stack.ts`). The product changes none.
 */
export const changedWaits: Partial<Record<'workLookMs' | 'settingsLookMs' | 'providerRetryMs', number | undefined>> =
  {};
