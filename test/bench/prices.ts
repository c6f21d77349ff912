/**
 * List prices of AWS in us-east-1, in US dollars, before any free tier, as published in 2025-26
 * (DynamoDB's looked up again). On demand, arm64. A bill may differ: free tiers, savings plans and
 * other regions are not in here. Sources: the pricing pages of each service.
 */
export const PRICES_AS_OF = 'list prices 2025-26, us-east-1';

const MILLION = 1_000_000;

export const PRICES = {
  dynamoWriteUnit: 0.625 / MILLION,
  dynamoReadUnit: 0.125 / MILLION,
  /** FIFO queues; every request, empty receives included. */
  sqsRequest: 0.5 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** Arm, first tier. */
  lambdaGbSecond: 0.0000133334,
  /** CloudWatch Logs, standard class, ingested. */
  logGb: 0.5,
  schedulerInvocation: 1 / MILLION,
  alarmMonth: 0.1,
  secretMonth: 0.4,
} as const;

/** Assumptions in place of measurements; each is named beside the numbers it goes into. */
export const ASSUMED = {
  modelWaitMs: 2_000,
  /** Of one request from a function in the same region, keep-alive. */
  dynamoRequestMs: 5,
  sqsRequestMs: 10,
  /**
   * START, END and REPORT lines of one invocation: not written at the system log level the template
   * sets.
   */
  platformLogBytes: 0,
  /** A function with 1,769 MB has one processor; with less, its share of one. */
  mbPerProcessor: 1_769,
  /** Lambda keeps five long polls of 20 s open at an idle queue. */
  pollsPerMinute: 15,
  /** A machine waits 20 s in each receive, and opens its queue again before its credentials end. */
  runnerPollsPerMinute: 3,
  runnerOpensPerMinute: 1 / 14,
  /** Signature, record and STS. */
  runnerOpenMs: 60,
  minutesPerMonth: 43_800,
} as const;
