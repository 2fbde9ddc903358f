/* How sure a share of rows is. */
#ifndef SPF_REPORT_SHARE_H
#define SPF_REPORT_SHARE_H

/* Wilson's 95% interval of a share of rows. */
void spf_share_interval(double share, double rows, double *low, double *high);

#endif
