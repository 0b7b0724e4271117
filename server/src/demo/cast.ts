import type { PersonInput } from '@invigil/core/contract/invitations/people';
import type { Grant } from '@invigil/core/domain/rights';
import type { AppContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { insertAdmin } from '../db/queries/admins.ts';
import { applyImport } from '../features/people/people.ts';
import { newAdmin } from '../features/sign-in/check-password.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import { newSessionToken } from '../security/secrets/tokens.ts';
import type { Stage } from './play-person.ts';

/** Who writes their name in another script; one has a single name. */
const NAMES: Record<string, [given: string, family: string]> = {
  'chen.wei': ['伟', '陈'],
  'dana.katz': ['דנה', 'כץ'],
  'aisha.khan': ['عائشة', 'خان'],
  'arjun.mehta': ['अर्जुन', 'मेहता'],
  'david.kim': ['다윗', '김'],
  'farah.aziz': ['Farah', ''],
  'emil.novak': ['Emil', 'Novák'],
  'erik.johansson': ['Erik', 'Johansson Åberg'],
  'grace.muller': ['Grace', 'Müller'],
};

const GROUPS = ['North site', 'South site', 'Night shift'];

/** Gives the people of the demonstration names, numbers and groups. */
export async function nameCast(
  { ctx, command }: Pick<Stage, 'ctx' | 'command'>,
  emails: readonly string[],
): Promise<void> {
  const people = emails.map((email, i): PersonInput => {
    const [person = ''] = email.split('@', 1);
    const [given, family] = NAMES[person] ?? person.split('.').map(capitalized);
    const group = GROUPS[i % GROUPS.length] ?? '';
    const details = { givenName: given ?? '', familyName: family ?? '', groups: [group] };
    return { email, ...details, externalId: `E-${1_001 + i}` };
  });
  await command((write) => applyImport(ctx, write, people));
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Colleagues who have not set a password yet, each with a role in a category. */
const TEAM = [
  { email: 'n.haddad@example.org', name: 'Nadia Haddad', role: 'author' },
  { email: 'p.kowalski@example.org', name: 'Piotr Kowalski', role: 'invigilator' },
  { email: 's.iyer@example.org', name: 'Sunita Iyer', role: 'reviewer' },
] as const;

/** Adds the team of a category. */
export async function addTeam(
  tx: Tx,
  { keys }: Pick<AppContext, 'keys'>,
  categoryId: string,
  now: Date,
): Promise<void> {
  // No one knows it: as after an invitation, a password is set with a link.
  const passwordHash = await hashPassword(newSessionToken());
  for (const { email, name, role } of TEAM) {
    const grants: Grant[] = [{ role, categoryId }];
    await insertAdmin(tx, newAdmin(keys, { email, name, passwordHash, grants, now }));
  }
}
