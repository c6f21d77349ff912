/**
 * Takes the order to the model out of a stored reason: a person reads what a rule found, and the
 * model alone is told what to do next. What is stored stays whole, so that it replays. Pure.
 */

const ORDER =
  /[:;] (?:propose something else, or say that it will not be done|propose something else, or say why it cannot be done|say why this is done, in own words|call read-file with (?:its|this|the script's) path and nothing else, then propose this (?:command )?again|do it by a tool, or say what is so|(?:do or|think and) say less at once|call tools as this request offers them, and write no markup|write -- before names(?:, or \.\/ in them)?|leave (?:them out|it out, and call it by itself)|call it without a name|make these calls now; any other asks)(?![\w-])/g;

export const forPeople = (text: string): string => text.replaceAll(ORDER, '');
