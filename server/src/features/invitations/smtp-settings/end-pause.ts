import type { Tx } from '../../../db/database.ts';
import { forgivePause, putSendingPace } from '../../../db/queries/sending-pace.ts';
import type { SmtpSettingsRow } from '../../../db/queries/smtp-settings.ts';
import { paceAfterPause } from '../../../mail/sending-pace.ts';

/** Ends a pause of the queue: the account is free again. The caller holds `lockSmtpSettings`. */
export async function endPause(tx: Tx, settings: SmtpSettingsRow, now: Date): Promise<void> {
  if (settings.pausedAt === null) return;
  await forgivePause(tx, now.getTime() - settings.pausedAt.getTime());
  await putSendingPace(tx, paceAfterPause(settings, now));
}
