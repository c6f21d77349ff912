/** The words with which the model is asked for the calls of steps in words alone. Pure. */

/** @param plan its id @param steps their ids */
export const askForCallsWords = (plan: string, steps: readonly string[]): string =>
  `Read the plan ${plan} with read-notes. These of its steps have words and no call: ${steps.join(', ')}. Call write-plan once, with plan ${plan} and for each of these steps the one call that does what its words say. Do nothing else. If no tool fits a step, say so.`;
