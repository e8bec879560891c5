/** A machine or service that the studio depends on. */
export interface Service {
  readonly name: string;
  readonly purpose: string;
  readonly where: string;
  readonly restart: string;
  readonly backup: string;
  readonly trouble: string;
}

export const services: readonly Service[] = [
  {
    name: 'heron',
    purpose: 'The web server that carries all client sites.',
    where: 'A virtual machine in Amsterdam with four cores; sites live under /srv/sites.',
    restart: 'systemctl reload caddy; a full restart drops running downloads.',
    backup: 'Nightly at 02:40 to the vault, kept for thirty-five days.',
    trouble:
      'The disk fills when a client uploads videos; image folders are capped at two gigabytes since last autumn.',
  },
  {
    name: 'dipper',
    purpose: 'Mail for the studio and three clients.',
    where: 'Hosted in Helsinki; the queue is visible on port 8025 from the studio only.',
    restart: 'Restart the delivery agent, not the whole machine: the queue survives.',
    backup: 'Mailboxes every six hours.',
    trouble:
      'Messages to one large provider were refused because the reverse name of the address was missing.',
  },
  {
    name: 'vault',
    purpose: 'Where backups go.',
    where: 'A shelf computer at a friend in Falmouth, reached through a tunnel.',
    restart: 'It reboots itself on Sundays at five; ask Petroc if it does not come back.',
    backup: 'It is the backup. A second copy is on a disk in the bank, exchanged each quarter.',
    trouble: 'Its clock runs slow, so that checks of freshness failed twice.',
  },
  {
    name: 'staging',
    purpose: 'The place where clients look at changes before they are public.',
    where: 'On heron, behind a password that changes monthly.',
    restart: 'Together with heron.',
    backup: 'None: it can be made again from the repositories.',
    trouble: 'Search engines indexed it once; it sends a header against that now.',
  },
  {
    name: 'shop',
    purpose: 'The little shop for prints and course places.',
    where: 'A container on heron with its own database.',
    restart:
      'Stop the worker first, then the page, then start in the other order; otherwise orders are charged twice.',
    backup: 'Database every hour, because orders are money.',
    trouble: 'Card payments time out when the provider asks for a second factor and the customer is slow.',
  },
  {
    name: 'ledger',
    purpose: 'Invoices and the books.',
    where: 'A program on the office computer, with its file in the synced folder.',
    restart: 'Close it on one machine before it is opened on the other.',
    backup: 'A dated copy at each closing of the program.',
    trouble: 'Two people had it open at once, and the numbers 214 to 219 exist twice.',
  },
  {
    name: 'door',
    purpose: 'The lock and the alarm of the workshop.',
    where: 'A panel beside the entrance; it calls out over the telephone network.',
    restart: 'Hold the star key for ten seconds. The code survives.',
    backup: 'Codes are in the safe.',
    trouble: 'A spider in the motion sensor caused four false alarms in one week.',
  },
  {
    name: 'scanner',
    purpose: 'Digitises proofs and old jobs.',
    where: 'The flatbed in the back room, reached by name on the local net.',
    restart: 'Off at the wall, count to twenty.',
    backup: 'Scans are copied to heron on the hour.',
    trouble: 'After an update of the system it only scans in grey until its profile is chosen again.',
  },
  {
    name: 'rss-bridge',
    purpose: 'Collects feeds that the hobbies read.',
    where: 'A small process on the office computer.',
    restart: 'It can be killed at any time.',
    backup: 'Only its list of feeds.',
    trouble: 'One feed sent a hundred thousand entries; there is a limit of fifty per feed now.',
  },
  {
    name: 'transfer',
    purpose: 'Large files for clients, for a week.',
    where: 'A page on heron; files are deleted after seven days.',
    restart: 'With heron.',
    backup: 'None, by promise to the clients.',
    trouble: 'Links were guessed by a scanner while they were short; they have twenty-two characters now.',
  },
  {
    name: 'monitor',
    purpose: 'Asks each site every minute whether it lives.',
    where: 'On another provider than the sites, so that they do not fail together.',
    restart: 'Its page has a button.',
    backup: 'Its settings are in the repository ops.',
    trouble: 'It reported every site as down when its own resolver failed; two places must agree now.',
  },
  {
    name: 'printer-queue',
    purpose: 'Sends pages to the laser printer and the plate maker.',
    where: 'On the office computer.',
    restart: 'Clear the spool folder, then start the service.',
    backup: 'Nothing to keep.',
    trouble: 'A font without embedding rights stops the plate maker with the message E-417.',
  },
];
