import { INVITATION_STATES, type InvitationState } from '@invigil/core/domain/invitation-states';
import { z } from 'zod';

/** The view of the invitations page; stored in the URL, so that it can be shared and reloaded. */
export interface InvitationsFilter {
  /** `null`: all */
  state: InvitationState | null;
  search: string;
  /** counted from 1 */
  page: number;
}

export const NO_INVITATIONS_FILTER: InvitationsFilter = { state: null, search: '', page: 1 };

/** Reads the filter from the URL; ignores invalid values. */
export function invitationsFilterFrom(address: URLSearchParams): InvitationsFilter {
  const read = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
    schema.safeParse(address.get(name)).data;
  return {
    state: read('state', z.enum(INVITATION_STATES)) ?? NO_INVITATIONS_FILTER.state,
    search: read('search', z.string().max(320)) ?? NO_INVITATIONS_FILTER.search,
    page: read('page', z.coerce.number().int().min(1).max(1_000_000)) ?? NO_INVITATIONS_FILTER.page,
  };
}

/** The URL of a filter: only differences from the default view. */
export function addressOfInvitations(filter: InvitationsFilter): URLSearchParams {
  const address = new URLSearchParams();
  for (const name of ['state', 'search', 'page'] as const) {
    const value = filter[name];
    if (value !== null && value !== NO_INVITATIONS_FILTER[name]) address.set(name, String(value));
  }
  return address;
}
