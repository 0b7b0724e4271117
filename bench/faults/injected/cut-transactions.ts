import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminClient } from '../system/admin-client.ts';
import type { Fault } from './fault.ts';
import { holdTable } from './held-table.ts';

/** On a busy machine an invitation alone takes seconds. Less than holdTable's limit. */
const COMES_WITHIN_MS = 15_000;
/** By then, anything sent before the commit is on its way. */
const LINGER_MS = 300;
const ROUNDS = 3;
const INVITED = 3;
/** Pattern of the statement of saves; the database shows the first kilobyte of running statements. */
const SAVES = '%as i(request, participant_id';

/**
 * Blocks the statement of saves before its commit, and cuts its connection: twice, because the saves of a
 * batch are tried once more.
 */
export const cutSaves: Fault = {
  name: 'database connections cut during saves',
  cutsLines: false,
  async play(system) {
    await system.withDatabase(async (db) => {
      for (let i = 0; i < ROUNDS; i += 1) {
        await holdTable(db, 'answers', async (held) => {
          for (let cuts = 0; cuts < 2; cuts += 1) {
            await held.untilWaits(SAVES, COMES_WITHIN_MS / 2);
            await held.cut(SAVES);
          }
        });
        await delay(50);
      }
    });
  },
};

/**
 * Invitations whose transaction is aborted before its commit: no message may be sent. Then the same
 * people are invited again, and get theirs.
 */
export const cutInvitation: Fault = {
  name: 'an invitation aborted before its commit',
  cutsLines: false,
  takesMs: 2_000,
  async play(system, notes) {
    const admin = await AdminClient.open(system);
    const name = `broken-${randomUUID().slice(0, 8)}`;
    const quiz = await admin.makeTest(name);
    await system.withDatabase((db) =>
      holdTable(db, 'audit_entries', async (held) => {
        const broken = admin.invite(quiz, name, INVITED).then(
          () => false,
          () => true,
        );
        // The audit entry is the last row that an invitation writes.
        await held.untilWaits('insert into "audit_entries"', COMES_WITHIN_MS);
        await delay(LINGER_MS);
        await held.cut('insert into "audit_entries"');
        if (await broken) notes.brokenInvitations += 1;
      }),
    );
    // Retry, as a person does after "try again in a moment".
    for (let tries = 5; ; tries -= 1) {
      try {
        await admin.invite(quiz, name, INVITED);
        return;
      } catch (error) {
        if (tries === 0) throw error;
        await delay(1_000);
      }
    }
  },
};
