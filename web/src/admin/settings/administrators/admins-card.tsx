import type { Admin } from '@invigil/core/contract/accounts/admins';
import { KeyRound, Plus, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatDate, formatDateTime } from '../../../lib/dates.ts';
import { useSession } from '../../../lib/person/session.tsx';
import { sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AddAdminDialog } from './add-admin-dialog.tsx';
import { useAdmins } from './admins-api.ts';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { DeleteAdmin } from './delete-admin.tsx';
import { ResetTotp } from './reset-totp.tsx';
import { whyNotDeleted } from './why-not-deleted.ts';

/** Admin Management: who may sign in here, and your own password. */
export function AdminsCard() {
  const admins = useAdmins();
  const own = useSession().account?.user.id;
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState(false);
  const [resetting, setResetting] = useState<Admin | null>(null);
  const [deleting, setDeleting] = useState<Admin | null>(null);
  return (
    <Card
      title="Admin Management"
      aside={
        <span className="flex flex-wrap gap-2">
          <Button size="dense" icon={<KeyRound />} onClick={() => setChanging(true)}>
            Change password
          </Button>
          <Button size="dense" icon={<Plus />} onClick={() => setAdding(true)}>
            Add Admin
          </Button>
        </span>
      }
    >
      {admins.isError ? (
        <div className="p-5">
          <FailureNotice
            title="Failed to load administrators"
            onRetry={() => void admins.refetch()}
            retrying={admins.isFetching}
          >
            {sentenceOf(admins.error)}
          </FailureNotice>
        </div>
      ) : admins.isPending ? (
        <SkeletonRows rows={2}>Loading administrators...</SkeletonRows>
      ) : (
        <ul aria-label="Administrators">
          {admins.data.map((admin) => (
            <AdminRow
              key={admin.id}
              admin={admin}
              isOwn={admin.id === own}
              why={whyNotDeleted(admin.id, own, admins.data.length)}
              onReset={() => setResetting(admin)}
              onDelete={() => setDeleting(admin)}
            />
          ))}
        </ul>
      )}
      {adding && <AddAdminDialog onClose={() => setAdding(false)} />}
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
      {resetting !== null && <ResetTotp admin={resetting} onClose={() => setResetting(null)} />}
      {deleting !== null && <DeleteAdmin admin={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
}

function AdminRow({
  admin,
  isOwn,
  why,
  onReset,
  onDelete,
}: {
  admin: Admin;
  isOwn: boolean;
  why: string | undefined;
  onReset(): void;
  onDelete(): void;
}) {
  const { email, createdAt, lastSignInAt, hasTotp } = admin;
  return (
    <li className="flex items-center gap-3 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <div className="font-medium break-all">
          {email}
          {isOwn && <span className="font-normal text-ink-3"> (you)</span>}
        </div>
        <div className="text-sm text-ink-3">
          Created <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          {' · '}
          {lastSignInAt === null ? (
            'never signed in'
          ) : (
            <>
              last sign-in{' '}
              <time dateTime={lastSignInAt} title={formatDateTime(lastSignInAt)}>
                {formatAgo(lastSignInAt)}
              </time>
            </>
          )}
          {hasTotp && ' · two-step sign-in'}
        </div>
      </div>
      {hasTotp && !isOwn && (
        <IconButton
          label={`Reset two-step sign-in of ${email}`}
          tooltip="Reset two-step sign-in"
          onClick={onReset}
        >
          <ShieldOff />
        </IconButton>
      )}
      <IconButton label={`Delete ${email}`} tooltip="Delete" unavailable={why} onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </li>
  );
}
