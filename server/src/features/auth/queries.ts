import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { admins, invitationCodes, invitations, users } from '../../db/schema.ts';

export interface CodeHolder {
  invitationId: string;
  userId: string;
  quizId: string;
  email: string;
  codeCreatedAt: Date;
}

/** Who holds a one-time password: by its hash and the address together, revoked ones left out. */
export async function findCodeHolder(
  db: Queryable,
  codeHash: Buffer,
  email: string,
): Promise<CodeHolder | undefined> {
  const [row] = await db
    .select({
      invitationId: invitations.id,
      userId: invitations.userId,
      quizId: invitations.quizId,
      email: users.email,
      codeCreatedAt: invitationCodes.createdAt,
    })
    .from(invitationCodes)
    .innerJoin(invitations, eq(invitations.id, invitationCodes.invitationId))
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(
      and(
        eq(invitationCodes.codeHash, codeHash),
        isNull(invitationCodes.revokedAt),
        isNull(invitations.revokedAt),
        eq(sql`lower(${users.email})`, email.toLowerCase()),
      ),
    );
  return row?.email == null ? undefined : { ...row, email: row.email };
}

/** Locks an invitation: sign-in, start and invite of one person at one quiz go one after the other. */
export async function lockInvitation(tx: Tx, invitationId: string) {
  const [row] = await tx
    .select()
    .from(invitations)
    .where(eq(invitations.id, invitationId))
    .for('no key update');
  return row;
}

/** Which sensors are asked for from the person of an invitation. */
export async function findSensorSwitches(db: Queryable, invitationId: string) {
  const [row] = await db
    .select({ camera: invitations.cameraEnabled, microphone: invitations.microphoneEnabled })
    .from(invitations)
    .where(eq(invitations.id, invitationId));
  return row ?? { camera: true, microphone: true };
}

export async function noteFirstSignIn(tx: Tx, invitationId: string, now: Date): Promise<void> {
  await tx
    .update(invitations)
    .set({ firstSignInAt: now })
    .where(and(eq(invitations.id, invitationId), isNull(invitations.firstSignInAt)));
}

export async function findAdminByEmail(db: Queryable, email: string) {
  const [row] = await db
    .select({ id: admins.id, email: admins.email, passwordHash: admins.passwordHash })
    .from(admins)
    .where(eq(sql`lower(${admins.email})`, email.toLowerCase()));
  return row;
}

export async function noteAdminSignIn(db: Queryable, adminId: string, now: Date): Promise<void> {
  await db.update(admins).set({ lastSignInAt: now }).where(eq(admins.id, adminId));
}
