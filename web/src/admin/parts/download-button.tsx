import { TableFormat } from '@invigil/core/contract/definition/table-format';
import { t } from '@invigil/core/texts/i18n';
import { useMutation } from '@tanstack/react-query';
import { Check, ChevronDown, Download, FileSpreadsheet, FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { localKey } from '../../lib/person/local-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';

const REMEMBERED = localKey('download_format', TableFormat);

/** The format of downloads that was chosen last in this browser; first CSV. */
function useTableFormat(): [TableFormat, (format: TableFormat) => void] {
  const [format, setFormat] = useState(() => REMEMBERED.read() ?? 'csv');
  return [
    format,
    (chosen) => {
      REMEMBERED.write(chosen);
      setFormat(chosen);
    },
  ];
}

const FORMATS = [
  {
    format: 'xlsx',
    label: () => t('parts.download.excel', 'Excel (.xlsx)'),
    icon: <FileSpreadsheet />,
  },
  { format: 'csv', label: () => t('parts.download.csv', 'CSV (.csv)'), icon: <FileText /> },
] as const;

export function DownloadButton({
  onDownload,
  onFailed,
  children,
  menuLabel = t('parts.download.format', 'Select a file format'),
  more,
}: {
  onDownload(format: TableFormat): Promise<void>;
  onFailed(error: unknown): void;
  children: string | ((format: TableFormat) => string);
  menuLabel?: string;
  more?: (download: (work: (format: TableFormat) => Promise<void>) => void) => ReactNode;
}) {
  const [format, setFormat] = useTableFormat();
  const { isPending, mutate: run } = useMutation({
    mutationFn: (work: Promise<void>) => work,
    onError: onFailed,
  });
  return (
    <div className="flex gap-1">
      <Button
        icon={<Download />}
        busy={isPending && t('portal.downloading', 'Downloading…')}
        onClick={() => run(onDownload(format))}
      >
        {typeof children === 'string' ? children : children(format)}
      </Button>
      <Menu
        trigger={
          <Button
            aria-label={menuLabel}
            icon={<ChevronDown />}
            className="gap-0! px-2! touch:min-w-11"
          />
        }
      >
        {FORMATS.map(({ format: each, label, icon }) => (
          <MenuItem
            key={each}
            icon={each === format ? <Check /> : icon}
            onSelect={() => {
              setFormat(each);
              run(onDownload(each));
            }}
          >
            {label()}
          </MenuItem>
        ))}
        {more?.((work) => run(work(format)))}
      </Menu>
    </div>
  );
}
