/**
 * Why Invigil cannot start, for the person at the terminal: one line that says what is wrong and what to
 * do. Printed without a stack, and the process exits with 1.
 */
export class StartProblem extends Error {
  override name = 'StartProblem';
}
