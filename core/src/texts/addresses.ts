import type { AddressProblem } from '../domain/email-address.ts';

/** Why a text is no address that mail can be sent to. */
export const addressText = (problem: AddressProblem | null): string =>
  problem?.code === 'not_deliverable'
    ? `“${problem.sign}” before the @: mail servers do not deliver to such addresses. Ask for another address`
    : 'Not an email address';
