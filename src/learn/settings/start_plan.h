/* The part of a plan that follows from settings, outcomes and weights, and needs no columns: the
 * same wherever a tree, or a part of it, is grown. */
#ifndef SPF_LEARN_SETTINGS_START_PLAN_H
#define SPF_LEARN_SETTINGS_START_PLAN_H

#include "learn/growing/plan.h"
#include "learn/settings/settings.h"

/* Table, has_missing, fill, scale, slots and the sizes of layout.h are left to be set. The settings
 * must outlive the plan, which is to be ended also if this fails. */
sporf_status spf_plan_start(const spf_settings *settings, const sporf_hooks *hooks, spf_plan *plan);

/* Frees what was started, and the slots. */
void spf_plan_end(spf_plan *plan);

/* How many values of a row the candidates of one node read, on average. */
double spf_terms_of_node(const spf_settings *settings);

#endif
