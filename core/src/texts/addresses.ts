import type { AddressProblem } from '../domain/email-address.ts';
import { t } from './i18n.ts';

/** Why a text is no address that mail can be sent to. */
export const addressText = (problem: AddressProblem | null): string =>
  problem?.code === 'not_deliverable'
    ? t(
        /* {sign} is a character in an email address */ 'address.notDeliverable',
        '“{sign}” before the @: mail servers do not deliver to such addresses. Ask for another address',
        { sign: problem.sign },
      )
    : t('address.notEmail', 'Not an email address');

export const enterAddressText = (): string => t('address.enter', 'Enter an email address');
